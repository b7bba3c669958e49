package dev.evenkeel.api.event;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Whether an event owns the loop until its transaction has ended, or is an operation with turns of
 * its own (JT-1).
 */
public sealed interface Lane {
  /**
   * The default, and every resync: nothing but control and its own completions runs until it has
   * ended.
   */
  record Serial() implements Lane {
    /** The one value. */
    public static final Serial INSTANCE = new Serial();
  }

  /**
   * Three turns, ADMIT, PLAN and END, with other events between them.
   *
   * @param kind what is done, such as {@code create-volume}; stored in the journal
   * @param subject what it is done to, such as {@code volume/data-1}: one intent at a time is open
   *     for a subject
   * @param fingerprint the parameters that make a repeat the same request; no size, no secrets
   *     (JT-13)
   * @param completion what the journal keeps when it has succeeded
   * @param locks taken all at once in ADMIT, or the event is refused
   */
  record Operation(
      String kind,
      String subject,
      String fingerprint,
      Completion completion,
      SortedSet<LockKey> locks)
      implements Lane {
    /** Copies the locks. */
    public Operation {
      if (kind.isEmpty() || subject.isEmpty()) {
        throw new IllegalArgumentException("an operation needs a kind and a subject");
      }
      locks = Collections.unmodifiableSortedSet(new TreeSet<>(locks));
    }

    /** An operation whose success is remembered, so that a repeat adopts it: something is made. */
    public static Operation making(
        String kind, String subject, String fingerprint, LockKey... locks) {
      return new Operation(
          kind, subject, fingerprint, Completion.KEEP, sorted(Arrays.asList(locks)));
    }

    /**
     * An operation that may be done again at any time and finds nothing to do: something is
     * changed.
     */
    public static Operation changing(
        String kind, String subject, String fingerprint, LockKey... locks) {
      return new Operation(
          kind, subject, fingerprint, Completion.FORGET, sorted(Arrays.asList(locks)));
    }

    /** An operation after which the subject is as if it had never been: something is removed. */
    public static Operation removing(String kind, String subject, LockKey... locks) {
      return new Operation(kind, subject, kind, Completion.ERASE, sorted(Arrays.asList(locks)));
    }

    private static SortedSet<LockKey> sorted(Collection<LockKey> locks) {
      return new TreeSet<>(locks);
    }
  }

  /** What the journal keeps of a successful operation. */
  enum Completion {
    /**
     * Its kind and fingerprint: a repeat is answered from the result, another fingerprint is
     * refused as already existing.
     */
    KEEP,
    /** Nothing; what was kept before stays. */
    FORGET,
    /** Nothing, and what was kept of this subject is removed with it. */
    ERASE
  }
}
