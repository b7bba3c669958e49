package dev.evenkeel.txn.operation;

import dev.evenkeel.api.event.LockKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who holds which id in which mode. Loop thread only, so that checking and taking cannot race;
 * never waits. All keys of one call are taken or none (JT-19; operations reference, 2.4): a group
 * locks its members with one call.
 *
 * <p>Locks are held by a {@link Lease} and given back by it, so that a late or repeated release
 * frees nobody else's. One lease never conflicts with itself. Ids are looked up, never iterated.
 */
final class LockTable {
  private final Map<String, List<Hold>> byId = new HashMap<>();

  private record Hold(LockKey key, Lease lease) {}

  /** The right to the locks of one operation. Compared by identity. */
  static final class Lease {
    private final Supplier<String> holder;
    private final List<LockKey> keys = new ArrayList<>();
    private boolean released;

    private Lease(Supplier<String> holder) {
      this.holder = holder;
    }

    /** All that it holds, in the order of taking. */
    List<LockKey> keys() {
      return List.copyOf(keys);
    }
  }

  /**
   * Why a lock is refused.
   *
   * @param wanted what was asked for
   * @param held what is in its way
   * @param holder who holds that: operation, since when, stage
   */
  record Conflict(LockKey wanted, LockKey held, String holder) {
    /** For people. */
    String text() {
      return wanted.id() + " is held in mode " + held.mode() + " by " + holder;
    }
  }

  /** A lease without locks; the holder's text is asked for only when somebody is refused. */
  Lease lease(Supplier<String> holder) {
    return new Lease(holder);
  }

  /** Takes all keys, or none and says the first one that is in the way. */
  Optional<Conflict> take(Lease lease, Collection<LockKey> keys) {
    if (lease.released) {
      throw new IllegalStateException("the lease has ended: " + lease.holder.get());
    }
    for (LockKey wanted : keys) {
      for (Hold hold : holds(wanted.id())) {
        if (hold.lease != lease && !wanted.compatibleWith(hold.key)) {
          return Optional.of(new Conflict(wanted, hold.key, hold.lease.holder.get()));
        }
      }
    }
    for (LockKey wanted : keys) {
      if (!wanted.id().isEmpty() && !lease.keys.contains(wanted)) {
        lease.keys.add(wanted);
        byId.computeIfAbsent(wanted.id(), id -> new ArrayList<>(1)).add(new Hold(wanted, lease));
      }
    }
    return Optional.empty();
  }

  /** Gives back all that the lease holds; the second time nothing happens. */
  void release(Lease lease) {
    lease.released = true;
    for (LockKey key : lease.keys) {
      byId.computeIfPresent(
          key.id(),
          (id, holds) -> {
            holds.removeIf(hold -> hold.lease == lease);
            return holds.isEmpty() ? null : holds;
          });
    }
    lease.keys.clear();
  }

  /** Whether anybody holds that id. */
  boolean isHeld(String id) {
    return byId.containsKey(id);
  }

  private List<Hold> holds(String id) {
    return byId.getOrDefault(id, List.of());
  }
}
