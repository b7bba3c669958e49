package dev.evenkeel.tck.datastore;

import dev.evenkeel.api.Experimental;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What several clients did with one key, and whether it can have happened one after another: each
 * call at one moment between its beginning and its end. Made by tests of stores; recording is for
 * any thread, {@link #check} for one when all have ended. Every value is written once at most, so a
 * compare-and-set on a revision is one on the value that had it.
 */
@Experimental
public final class RegisterHistory {
  private static final long NEVER = Long.MAX_VALUE;

  private final AtomicLong clock = new AtomicLong();
  private final List<Op> ops = new ArrayList<>();
  private final int first;

  /** A call; {@code ended} is {@link #NEVER} when nobody knows whether it happened. */
  private record Op(long began, long ended, int expected, int value, boolean write, boolean done) {
    boolean allowed(int state) {
      return done ? state == expected : state != expected;
    }

    int after(int state) {
      return write && done ? value : state;
    }
  }

  private record Position(BitSet passed, int state) {}

  /** A key that holds that value at first. */
  public RegisterHistory(int first) {
    this.first = first;
  }

  /** A call begins: what it is given must be given back when it ends. */
  public long begin() {
    return clock.incrementAndGet();
  }

  /** A read has seen a value. */
  public void read(long began, int seen) {
    add(new Op(began, clock.incrementAndGet(), seen, seen, false, true));
  }

  /** A compare-and-set has written, or was refused. */
  public void compareAndSet(long began, int expected, int value, boolean done) {
    add(new Op(began, clock.incrementAndGet(), expected, value, true, done));
  }

  /** A compare-and-set of which nobody knows whether it was done, or will be. */
  public void unknown(long began, int expected, int value) {
    add(new Op(began, NEVER, expected, value, true, true));
  }

  private synchronized void add(Op op) {
    ops.add(op);
  }

  /** How many calls there were. */
  public synchronized int size() {
    return ops.size();
  }

  /** Nothing if there is an order, else which call cannot be placed. */
  public synchronized Optional<String> check() {
    List<Op> sorted = new ArrayList<>(ops);
    sorted.sort(Comparator.comparingLong(Op::began));
    return new Search(sorted).run(first);
  }

  /** Looks for an order, depth first, and never twice from the same position. */
  private static final class Search {
    private final List<Op> sorted;
    private final Set<Position> tried = new HashSet<>();
    private final BitSet passed = new BitSet();
    private int furthest;

    Search(List<Op> sorted) {
      this.sorted = sorted;
    }

    Optional<String> run(int first) {
      return from(first)
          ? Optional.empty()
          : Optional.of("no order holds beyond " + furthest + " of " + sorted.size() + " calls");
    }

    private boolean from(int state) {
      if (!tried.add(new Position((BitSet) passed.clone(), state))) {
        return false;
      }
      furthest = Math.max(furthest, passed.cardinality());
      long nextEnd = NEVER;
      for (int i = passed.nextClearBit(0); i < sorted.size(); i = passed.nextClearBit(i + 1)) {
        if (sorted.get(i).began() > nextEnd) {
          break;
        }
        nextEnd = Math.min(nextEnd, sorted.get(i).ended());
      }
      if (nextEnd == NEVER) {
        return true;
      }
      for (int i = passed.nextClearBit(0); i < sorted.size(); i = passed.nextClearBit(i + 1)) {
        Op op = sorted.get(i);
        if (op.began() > nextEnd) {
          return false;
        }
        if (op.allowed(state)) {
          passed.set(i);
          if (from(op.after(state))) {
            return true;
          }
          passed.clear(i);
        }
      }
      return false;
    }
  }
}
