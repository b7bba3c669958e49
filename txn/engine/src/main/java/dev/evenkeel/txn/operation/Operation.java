package dev.evenkeel.txn.operation;

import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.volume.OperationExecutor;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One operation between ADMIT and END: the handle that {@link OperationCore} gives out. Its state
 * is the core's; the getters may be called by any thread.
 */
public final class Operation {
  /** Locks remembered as given back; beyond, everything counts as changed. */
  private static final int MOST_CHANGED = 10_000;

  private final UpdateEvent event;
  private final Lane.Operation lane;
  private final Instant since;
  private final LockTable.Lease lease;
  private final Set<LockKey> changed = new TreeSet<>();
  private volatile String transaction;
  private volatile String subject;
  private volatile String stage = "";
  private volatile List<LockKey> held = List.of();
  private @Nullable Loaded loaded;
  private boolean watching;

  Operation(
      UpdateEvent event, Lane.Operation lane, String transaction, Instant since, LockTable table) {
    this.event = event;
    this.lane = lane;
    this.transaction = transaction;
    this.subject = lane.subject();
    this.since = since;
    this.lease = table.lease(this::toString);
  }

  /** The event that it runs for. */
  public UpdateEvent event() {
    return event;
  }

  /** As the event declared it. */
  public Lane.Operation lane() {
    return lane;
  }

  /** Id of the transaction; the interrupted one's when it goes on with one. */
  public String transaction() {
    return transaction;
  }

  /** What it is done to: canonical after the verdict. */
  public String subject() {
    return subject;
  }

  /** When it was admitted. */
  public Instant since() {
    return since;
  }

  /** What runs now, such as {@code apply image}; empty when nothing does. */
  public Optional<String> stage() {
    String now = stage;
    return now.isEmpty() ? Optional.empty() : Optional.of(now);
  }

  OperationExecutor.Pending pending() {
    return new OperationExecutor.Pending(lane.kind(), subject, transaction, since, stage());
  }

  LockTable.Lease lease() {
    return lease;
  }

  /** Its locks, for readers on other threads. */
  List<LockKey> held() {
    return held;
  }

  void held(List<LockKey> keys) {
    held = List.copyOf(keys);
  }

  void transaction(String id) {
    transaction = id;
  }

  void subject(String canonical) {
    subject = canonical;
  }

  /** Set by its scripts, on the worker. */
  void stage(String text) {
    stage = text;
  }

  /** From here on what it reads can become stale, until it has taken its last lock. */
  void watch(boolean on) {
    watching = on;
    changed.clear();
  }

  /** Another operation has given back those locks. */
  void changed(Collection<LockKey> keys) {
    if (watching && changed.size() < MOST_CHANGED) {
      changed.addAll(keys);
    }
  }

  /** Whether what it has read of those ids may be stale: they were locked against it meanwhile. */
  boolean mayBeStale(Collection<LockKey> keys) {
    return changed.size() >= MOST_CHANGED
        || keys.stream().anyMatch(key -> changed.stream().anyMatch(o -> !o.compatibleWith(key)));
  }

  void loaded(@Nullable Loaded found) {
    loaded = found;
  }

  /** What the last verdict was about. */
  Loaded loaded() {
    Loaded found = loaded;
    if (found == null) {
      throw new IllegalStateException("there is no verdict on " + this + " yet");
    }
    return found;
  }

  @Override
  public String toString() {
    return lane.kind()
        + " of "
        + subject
        + " since "
        + since
        + stage().map(text -> ", in " + text).orElse("");
  }
}
