package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.TransactionEngine;
import dev.evenkeel.txn.engine.EngineCore;
import dev.evenkeel.txn.engine.EngineSettings;
import dev.evenkeel.txn.history.HistoryOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes transaction engines that are used on their own, without an event loop. Called by users; any
 * thread.
 *
 * <pre>{@code
 * try (TransactionEngine engine =
 *     TransactionEngines.builder("links").descriptors(new LinkDescriptor()).start()) {
 *   TransactionEngine.Commit commit =
 *       engine.commit(
 *           CommitOptions.update("the first link"),
 *           txn -> txn.put(new LinkKey("eth0"), "up"),
 *           Duration.ZERO);
 *   TransactionResult result = commit.result().toCompletableFuture().join();
 * }
 * }</pre>
 */
@Experimental("new")
public final class TransactionEngines {
  private TransactionEngines() {}

  /** An engine of that name, by which its threads and its failures are known. */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** Collects what an engine is made of. Not for several threads at once. */
  public static final class Builder {
    final String name;
    private final List<Descriptor<?, ?>> descriptors = new ArrayList<>();
    private EngineSettings settings = EngineSettings.defaults().with(HistoryOptions.standard());
    EngineClock clock = EngineClock.system();
    Duration callLimit = Duration.ofSeconds(30);
    Duration closeLimit = Duration.ofSeconds(30);
    int capacity = 200;
    int maxHung = 16;

    private Builder(String name) {
      this.name = name;
    }

    /** Adds what values are applied by. */
    public Builder descriptors(Descriptor<?, ?>... more) {
      return descriptors(List.of(more));
    }

    /** Adds what values are applied by. */
    public Builder descriptors(List<? extends Descriptor<?, ?>> more) {
      descriptors.addAll(more);
      return this;
    }

    /**
     * After what nothing is tried again, how much is, and what is kept of past transactions; by
     * default the standard history.
     */
    public Builder settings(EngineSettings value) {
      settings = value;
      return this;
    }

    /** Whose time; the machine's by default. */
    public Builder clock(EngineClock value) {
      clock = value;
      return this;
    }

    /** How many transactions and notifications may wait; 200 by default. */
    public Builder capacity(int value) {
      capacity = atLeastOne("capacity", value);
      return this;
    }

    /** How many calls may hang before others are refused; 16 by default. */
    public Builder maxHung(int value) {
      maxHung = atLeastOne("maxHung", value);
      return this;
    }

    /** How long to wait for a call that names no limit; 30 s by default. */
    public Builder callLimit(Duration value) {
      callLimit = positive("callLimit", value);
      return this;
    }

    /**
     * How long {@link TransactionEngine#close()} waits for the call that runs before it is given
     * up, in the machine's time; 30 s by default.
     */
    public Builder closeLimit(Duration value) {
      closeLimit = positive("closeLimit", value);
      return this;
    }

    private static int atLeastOne(String what, int value) {
      if (value < 1) {
        throw new IllegalArgumentException(what + " is at least 1, not " + value);
      }
      return value;
    }

    private static Duration positive(String what, Duration value) {
      if (value.isNegative() || value.isZero()) {
        throw new IllegalArgumentException(what + " is positive, not " + value);
      }
      return value;
    }

    /**
     * Makes it and starts its thread.
     *
     * @throws dev.evenkeel.api.InvalidInputException when two descriptors share a name or keys, or
     *     wait for each other with retrieving
     */
    public TransactionEngine start() {
      return start(new Seam() {});
    }

    Mailbox start(Seam seam) {
      Mailbox mailbox = new Mailbox(this, new EngineCore(descriptors, settings), seam);
      mailbox.start();
      return mailbox;
    }
  }
}
