package dev.evenkeel.controller.core;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The numbers of a loop. Immutable; made by {@link #builder()}; a wrong one is refused together
 * with all other wrong ones.
 *
 * @param capacity most events that may wait in ring and gate together (JT-16); 1,000
 * @param ringSlots slots of the ring, a power of two; 0 takes the capacity, rounded up
 * @param workers threads for operations; as many again replace those that hang; 8
 * @param maxOperations most operations between ADMIT and END; 1,000
 * @param maxFollowUps most follow-ups that may wait; 1,000
 * @param maxFollowUpDepth longest chain of follow-ups of follow-ups; 100
 * @param maxTimers most scheduled events; 10,000
 * @param maxSuperseded most superseded events that wait for their survivor's outcome without a
 *     permit; those beyond keep theirs, so that pushing is refused in the end (JT-21); 10,000
 * @param startupDeadline how long to wait for the first resync to begin; 30 s
 * @param closeLimit how long {@code close()} lets waiting events run; 30 s
 * @param shutdownLimit how long the shutdown update may take after that; 5 s
 * @param stepLimit how long to wait for a call on the outside that names no limit; 2 min
 * @param stallWarning a turn that takes longer is reported with the loop thread's stack; 0 never; 5
 *     s
 * @param stallLimit a turn that takes longer makes the loop not ready until it ends; 0 never; 30 s
 * @param healingDelay from a failure to the healing; 5 s
 * @param healingAttempts healings that may fail in a row before the loop aborts; 5
 * @param healingCap longest delay between two of them; each doubles the one before; 5 min
 * @param periodicHealing pause between two periodic healings; absent means none; absent
 * @param verification what is compared after each successful event (EL 31); off
 * @param historyRecords most records kept; 0 keeps none but of what still runs; 10,000
 * @param historyBytes about how much memory they may take; 64 MiB
 * @param historyAge how long a record is kept after its end; 24 h
 * @param historyPermanent records that begin within this time after start do not age; 1 h
 * @param retry how values that failed are tried again when whoever put them says nothing; absent
 *     means that they are not; {@link RetryPolicy#DEFAULT}
 * @param localResyncDelay how long a datastore source waits for its remote store before it takes
 *     its mirror instead; 5 s
 * @param probeInterval how often a datastore source probes its remote store; 3 s
 */
public record LoopConfig(
    int capacity,
    int ringSlots,
    int workers,
    int maxOperations,
    int maxFollowUps,
    int maxFollowUpDepth,
    int maxTimers,
    int maxSuperseded,
    Duration startupDeadline,
    Duration closeLimit,
    Duration shutdownLimit,
    Duration stepLimit,
    Duration stallWarning,
    Duration stallLimit,
    Duration healingDelay,
    int healingAttempts,
    Duration healingCap,
    Optional<Duration> periodicHealing,
    Verification verification,
    int historyRecords,
    long historyBytes,
    Duration historyAge,
    Duration historyPermanent,
    Optional<RetryPolicy> retry,
    Duration localResyncDelay,
    Duration probeInterval) {
  private static final int MOST = 1 << 24;
  private static final Duration LONGEST = Durations.LONGEST;

  /** How the loop checks itself after each event that ended well (EL 31, EW-17). */
  public enum Verification {
    /** Not at all. */
    OFF,
    /** What the handlers build anew is compared with what the engine holds. */
    UPSTREAM,
    /** It is compared with what the outside really has, too. */
    DOWNSTREAM
  }

  /** What holds when nothing is said. */
  public static final LoopConfig DEFAULT = new Builder().build();

  /** Refuses what cannot be meant, all at once. */
  public LoopConfig {
    Objects.requireNonNull(verification, "verification");
    Checks checks = new Checks();
    checks.count("capacity", capacity, 1);
    checks.count("ringSlots", ringSlots, 0);
    if (ringSlots > 0 && Integer.bitCount(ringSlots) != 1) {
      checks.fault("ringSlots", ringSlots, "must be a power of two, or 0");
    }
    checks.count("workers", workers, 1);
    checks.count("maxOperations", maxOperations, 1);
    checks.count("maxFollowUps", maxFollowUps, 0);
    checks.count("maxFollowUpDepth", maxFollowUpDepth, 0);
    checks.count("maxTimers", maxTimers, 0);
    checks.count("maxSuperseded", maxSuperseded, 0);
    checks.positive("startupDeadline", startupDeadline);
    checks.positive("closeLimit", closeLimit);
    checks.positive("shutdownLimit", shutdownLimit);
    checks.positive("stepLimit", stepLimit);
    checks.duration("stallWarning", stallWarning, false);
    checks.duration("stallLimit", stallLimit, false);
    if (!stallLimit.isZero() && stallLimit.compareTo(stallWarning) < 0) {
      checks.fault("stallLimit", stallLimit, "must not be below stallWarning, or 0");
    }
    checks.positive("healingDelay", healingDelay);
    checks.count("healingAttempts", healingAttempts, 1);
    checks.positive("healingCap", healingCap);
    periodicHealing.ifPresent(period -> checks.positive("periodicHealing", period));
    checks.count("historyRecords", historyRecords, 0);
    if (historyBytes < 1) {
      checks.fault("historyBytes", historyBytes, "must be positive");
    }
    checks.positive("historyAge", historyAge);
    checks.duration("historyPermanent", historyPermanent, false);
    checks.positive("localResyncDelay", localResyncDelay);
    checks.positive("probeInterval", probeInterval);
    checks.end();
  }

  /** Begins with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** The slots that the ring really gets. */
  public int slots() {
    return ringSlots > 0 ? ringSlots : Math.max(2, Integer.highestOneBit(capacity * 2 - 1));
  }

  private static final class Checks {
    private final List<InvalidInputException.Fault> faults = new ArrayList<>();

    void fault(String field, Object given, String reason) {
      faults.add(new InvalidInputException.Fault(field, String.valueOf(given), reason));
    }

    void count(String field, int value, int least) {
      if (value < least || value > MOST) {
        fault(field, value, "must be from " + least + " to " + MOST);
      }
    }

    void positive(String field, Duration value) {
      duration(field, value, true);
    }

    void duration(String field, Duration value, boolean positive) {
      if (value.isNegative() || (positive && value.isZero()) || value.compareTo(LONGEST) > 0) {
        fault(field, value, positive ? "must be positive and at most 10 years" : "is out of range");
      }
    }

    void end() {
      if (!faults.isEmpty()) {
        throw new InvalidInputException("loop configuration", faults);
      }
    }
  }

  /** Collects the numbers; one thread. */
  public static final class Builder {
    private int capacity = 1000;
    private int ringSlots;
    private int workers = 8;
    private int maxOperations = 1000;
    private int maxFollowUps = 1000;
    private int maxFollowUpDepth = 100;
    private int maxTimers = 10_000;
    private int maxSuperseded = 10_000;
    private Duration startupDeadline = Duration.ofSeconds(30);
    private Duration closeLimit = Duration.ofSeconds(30);
    private Duration shutdownLimit = Duration.ofSeconds(5);
    private Duration stepLimit = Duration.ofMinutes(2);
    private Duration stallWarning = Duration.ofSeconds(5);
    private Duration stallLimit = Duration.ofSeconds(30);
    private Duration healingDelay = Duration.ofSeconds(5);
    private int healingAttempts = 5;
    private Duration healingCap = Duration.ofMinutes(5);
    private Optional<Duration> periodicHealing = Optional.empty();
    private Verification verification = Verification.OFF;
    private int historyRecords = 10_000;
    private long historyBytes = 64L << 20;
    private Duration historyAge = Duration.ofHours(24);
    private Duration historyPermanent = Duration.ofHours(1);
    private Optional<RetryPolicy> retry = Optional.of(RetryPolicy.DEFAULT);
    private Duration localResyncDelay = Duration.ofSeconds(5);
    private Duration probeInterval = Duration.ofSeconds(3);

    private Builder() {}

    /** {@link LoopConfig#capacity}. */
    public Builder capacity(int value) {
      capacity = value;
      return this;
    }

    /** {@link LoopConfig#ringSlots}. */
    public Builder ringSlots(int value) {
      ringSlots = value;
      return this;
    }

    /** {@link LoopConfig#workers}. */
    public Builder workers(int value) {
      workers = value;
      return this;
    }

    /** {@link LoopConfig#maxOperations}. */
    public Builder maxOperations(int value) {
      maxOperations = value;
      return this;
    }

    /** {@link LoopConfig#maxFollowUps}. */
    public Builder maxFollowUps(int value) {
      maxFollowUps = value;
      return this;
    }

    /** {@link LoopConfig#maxFollowUpDepth}. */
    public Builder maxFollowUpDepth(int value) {
      maxFollowUpDepth = value;
      return this;
    }

    /** {@link LoopConfig#maxTimers}. */
    public Builder maxTimers(int value) {
      maxTimers = value;
      return this;
    }

    /** {@link LoopConfig#maxSuperseded}. */
    public Builder maxSuperseded(int value) {
      maxSuperseded = value;
      return this;
    }

    /** {@link LoopConfig#startupDeadline}. */
    public Builder startupDeadline(Duration value) {
      startupDeadline = value;
      return this;
    }

    /** {@link LoopConfig#closeLimit}. */
    public Builder closeLimit(Duration value) {
      closeLimit = value;
      return this;
    }

    /** {@link LoopConfig#shutdownLimit}. */
    public Builder shutdownLimit(Duration value) {
      shutdownLimit = value;
      return this;
    }

    /** {@link LoopConfig#stepLimit}. */
    public Builder stepLimit(Duration value) {
      stepLimit = value;
      return this;
    }

    /** {@link LoopConfig#stallWarning}. */
    public Builder stallWarning(Duration value) {
      stallWarning = value;
      return this;
    }

    /** {@link LoopConfig#stallLimit}. */
    public Builder stallLimit(Duration value) {
      stallLimit = value;
      return this;
    }

    /** Nobody watches the loop's thread: for debuggers, which hold it themselves. */
    public Builder withoutStallWatch() {
      return stallWarning(Duration.ZERO).stallLimit(Duration.ZERO);
    }

    /** {@link LoopConfig#healingDelay}. */
    public Builder healingDelay(Duration value) {
      healingDelay = value;
      return this;
    }

    /** {@link LoopConfig#healingAttempts}. */
    public Builder healingAttempts(int value) {
      healingAttempts = value;
      return this;
    }

    /** {@link LoopConfig#healingCap}. */
    public Builder healingCap(Duration value) {
      healingCap = value;
      return this;
    }

    /** {@link LoopConfig#periodicHealing}. */
    public Builder periodicHealing(Duration value) {
      periodicHealing = Optional.of(value);
      return this;
    }

    /** {@link LoopConfig#verification}. */
    public Builder verification(Verification value) {
      verification = value;
      return this;
    }

    /** {@link LoopConfig#historyRecords}. */
    public Builder historyRecords(int value) {
      historyRecords = value;
      return this;
    }

    /** {@link LoopConfig#historyBytes}. */
    public Builder historyBytes(long value) {
      historyBytes = value;
      return this;
    }

    /** {@link LoopConfig#historyAge}. */
    public Builder historyAge(Duration value) {
      historyAge = value;
      return this;
    }

    /** {@link LoopConfig#historyPermanent}. */
    public Builder historyPermanent(Duration value) {
      historyPermanent = value;
      return this;
    }

    /** {@link LoopConfig#retry}. */
    public Builder retry(RetryPolicy value) {
      retry = Optional.of(value);
      return this;
    }

    /** What failed is not tried again unless whoever put it says so. */
    public Builder withoutRetry() {
      retry = Optional.empty();
      return this;
    }

    /** {@link LoopConfig#localResyncDelay}. */
    public Builder localResyncDelay(Duration value) {
      localResyncDelay = value;
      return this;
    }

    /** {@link LoopConfig#probeInterval}. */
    public Builder probeInterval(Duration value) {
      probeInterval = value;
      return this;
    }

    /** The numbers, checked. */
    public LoopConfig build() {
      return new LoopConfig(
          capacity,
          ringSlots,
          workers,
          maxOperations,
          maxFollowUps,
          maxFollowUpDepth,
          maxTimers,
          maxSuperseded,
          startupDeadline,
          closeLimit,
          shutdownLimit,
          stepLimit,
          stallWarning,
          stallLimit,
          healingDelay,
          healingAttempts,
          healingCap,
          periodicHealing,
          verification,
          historyRecords,
          historyBytes,
          historyAge,
          historyPermanent,
          retry,
          localResyncDelay,
          probeInterval);
    }
  }
}
