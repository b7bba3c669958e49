package dev.evenkeel.controller.source;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.controller.core.LoopClock;
import dev.evenkeel.controller.core.LoopConfig;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Feeds a loop from a datastore: all that it holds as one {@code DatastoreResync}, then each change
 * as a {@code StateChange}, or as an {@code ExternalChange} where it is external configuration.
 * (Contiv's {@code dbwatcher}; event loop reference, A9, JT-20 and the DW-rules.)
 *
 * <p>When the store goes away, nothing is taken from the loop: the source reconnects, reads all
 * anew and pushes one resync. With a mirror, a controller also starts while the store is away. A
 * value that cannot be decoded never becomes a delete. Changes that the loop has no room for wait,
 * coalesce by key, and become one resync when there are too many.
 *
 * <p>Made by whoever wires a controller; any thread. It has one thread of its own, beside those of
 * its syncer; {@link #close()} ends all of them, and does not close loop and stores.
 */
@Experimental
public final class DatastoreSource implements AutoCloseable {
  private final Builder parts;
  private final LoopClock clock;
  private final Object lock = new Object();
  private final SourceCore core;
  private final Pump pump;
  private @Nullable SourceDriver driver;
  private boolean closed;

  private DatastoreSource(Builder parts, LoopClock clock, SourceOptions options) {
    this.parts = parts;
    this.clock = clock;
    SplittableRandom random = new SplittableRandom(parts.seed.getAsLong());
    this.core = new SourceCore(options, parts.kinds.keySet(), random::nextDouble);
    this.pump = new Pump("evenkeel-source-" + parts.name, clock, this::work);
  }

  /**
   * Begins a source.
   *
   * @param name for the thread, failures and the mirror: letters, digits, dots and dashes
   * @param remote the store to follow; closing it is the caller's part
   */
  public static Builder builder(String name, Datastore remote) {
    return new Builder(name, remote);
  }

  /**
   * Begins to feed that loop; returns at once. Only the first call counts, and none after close.
   */
  public void start(EventLoop loop) {
    synchronized (lock) {
      if (driver != null || closed) {
        return;
      }
      driver = new SourceDriver(parts, core, lock, clock, pump, loop);
      core.start(clock.now());
    }
    pump.start();
  }

  /** How it stands, now. Never waits for a store. */
  public SourceStatus status() {
    synchronized (lock) {
      return core.status();
    }
  }

  private Optional<Instant> work() {
    return Objects.requireNonNull(driver).work();
  }

  /**
   * Ends it: nothing is pushed any more, and all its threads have ended when this returns, unless
   * it is called on one of them. Idempotent; any thread.
   */
  @Override
  public void close() {
    SourceDriver running;
    synchronized (lock) {
      closed = true;
      running = driver;
      core.close();
    }
    if (running != null) {
      pump.close();
    }
  }

  /** Collects the parts of a source; one thread; used once. */
  public static final class Builder {
    final String name;
    final Datastore remote;
    final Map<KeyType<?>, Boolean> kinds = new LinkedHashMap<>();
    private final List<InvalidInputException.Fault> faults = new ArrayList<>();
    private LoopConfig config = LoopConfig.DEFAULT;
    private LongSupplier seed = new SecureRandom()::nextLong;
    SourceListener listener = new SourceListener() {};
    @Nullable Datastore mirror;
    private @Nullable LoopClock clock;

    private Builder(String name, Datastore remote) {
      this.name = name;
      this.remote = Objects.requireNonNull(remote, "remote");
      if (!name.matches("[A-Za-z0-9][A-Za-z0-9.-]{0,62}")) {
        fault("name", name, "must be letters, digits, dots and dashes");
      }
    }

    private void fault(String field, String given, String reason) {
      faults.add(new InvalidInputException.Fault(field, given, reason));
    }

    /** Kinds of key that are input state. */
    public Builder input(KeyType<?>... types) {
      for (KeyType<?> type : types) {
        add(type, false);
      }
      return this;
    }

    /**
     * Kinds of key that are external configuration, each below that prefix of the datastore: with
     * prefix {@code /external}, key {@code /routes/a} is stored as {@code /external/routes/a}.
     *
     * @param prefix starts with a slash, ends without one
     */
    public Builder external(String prefix, KeyType<?>... types) {
      if (!prefix.startsWith("/") || prefix.endsWith("/")) {
        fault("external prefix", prefix, "must start with a slash and end without one");
        return this;
      }
      for (KeyType<?> type : types) {
        add(Prefixed.type(prefix, type), true);
      }
      return this;
    }

    private void add(KeyType<?> type, boolean external) {
      for (KeyType<?> other : kinds.keySet()) {
        if (type.prefix().startsWith(other.prefix()) || other.prefix().startsWith(type.prefix())) {
          fault("kind " + type.name(), type.prefix(), "overlaps with " + other);
          return;
        }
      }
      kinds.put(type, external);
    }

    /**
     * Where to keep a copy of all that is known, to start from when the remote store is away: a
     * durable store near by, with {@link Capability#ATOMIC_BATCH}; closing it is the caller's part.
     */
    public Builder mirror(Datastore store) {
      mirror = Objects.requireNonNull(store, "mirror");
      return this;
    }

    /** Takes {@code localResyncDelay} and {@code probeInterval} from there. */
    public Builder config(LoopConfig numbers) {
      config = Objects.requireNonNull(numbers, "config");
      return this;
    }

    /** Is told of problems and phases. */
    public Builder listener(SourceListener chosen) {
      listener = Objects.requireNonNull(chosen, "listener");
      return this;
    }

    /** Time; the machine's unless said otherwise. */
    public Builder clock(LoopClock chosen) {
      clock = Objects.requireNonNull(chosen, "clock");
      return this;
    }

    /** Where the seed of pauses comes from; a secure source unless said otherwise. */
    public Builder seed(LongSupplier source) {
      seed = Objects.requireNonNull(source, "seed");
      return this;
    }

    /**
     * The source, not started.
     *
     * @throws InvalidInputException when parts are wrong; all faults at once
     */
    public DatastoreSource build() {
      if (kinds.isEmpty()) {
        fault("kinds", "", "must be at least one, input or external");
      }
      if (mirror != null && !mirror.capabilities().contains(Capability.ATOMIC_BATCH)) {
        fault("mirror", "", "must be a store that writes several keys at once or none");
      }
      if (!faults.isEmpty()) {
        throw new InvalidInputException("datastore source " + name, faults);
      }
      LoopClock time = clock == null ? LoopClock.system() : clock;
      return new DatastoreSource(this, time, SourceOptions.of(name, config, mirror != null));
    }
  }

  static Failure failure(String operation, Throwable thrown) {
    ErrorKind kind = EvenkeelException.kindOf(thrown);
    return Failure.of(
        "source", operation, kind, Objects.requireNonNullElse(thrown.getMessage(), ""));
  }
}
