package dev.evenkeel.controller;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Fields;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.election.LeaderElection;
import dev.evenkeel.api.event.EventCodec;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.HandlerProvider;
import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.api.loop.LoopListener;
import dev.evenkeel.api.loop.StallListener;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.controller.core.LoopClock;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.core.LoopObserver;
import dev.evenkeel.controller.core.LoopParts;
import dev.evenkeel.controller.internal.Elected;
import dev.evenkeel.controller.internal.RingLoop;
import dev.evenkeel.controller.manual.ManualClock;
import dev.evenkeel.controller.manual.ManualLoop;
import dev.evenkeel.controller.metrics.LoopMetrics;
import dev.evenkeel.controller.metrics.LoopReadings;
import dev.evenkeel.controller.metrics.LoopTally;
import dev.evenkeel.txn.engine.EngineCore;
import dev.evenkeel.txn.engine.EngineSettings;
import dev.evenkeel.txn.operation.FormerActs;
import dev.evenkeel.txn.operation.Journal;
import dev.evenkeel.txn.operation.OperationCore;
import dev.evenkeel.txn.operation.OperationOptions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes event loops. */
public final class EventLoops {
  private EventLoops() {}

  /**
   * Begins a loop.
   *
   * @param name for threads, logs and messages: letters, digits, dots and dashes
   */
  public static Builder builder(String name) {
    return new Builder(name);
  }

  /** Collects the parts of a loop; one thread; used once. */
  public static final class Builder {
    private final String name;
    private final List<EventHandler> handlers = new ArrayList<>();
    private final List<EventHandler> discovered = new ArrayList<>();
    private final List<Descriptor<?, ?>> descriptors = new ArrayList<>();
    private final List<ExternalSource> sources = new ArrayList<>();
    private final List<LoopListener> listeners = new ArrayList<>();
    private final List<StallListener> watchers = new ArrayList<>();
    private final List<InvalidInputException.Fault> faults = new ArrayList<>();
    private LoopConfig config = LoopConfig.DEFAULT;
    private EngineSettings settings = EngineSettings.defaults();
    private LoopObserver observer = LoopObserver.NONE;
    private LoopParts.Versions versions = LoopParts.Versions.NEWEST;
    private OperationOptions options = OperationOptions.usual().withoutBackOff();
    private Supplier<Epoch> epoch = () -> Epoch.NONE;
    private @Nullable FormerActs formerActs;
    private Duration lease = Duration.ZERO;
    private LongSupplier seed = new SecureRandom()::nextLong;
    private @Nullable Datastore store;
    private @Nullable EventCodec codec;
    private @Nullable LoopClock clock;
    private @Nullable Elected elected;
    private @Nullable LoopMetrics metrics;
    private @Nullable LoopTally tally;
    private @Nullable Banners banners;

    private Builder(String name) {
      this.name = name;
      if (!name.matches("[A-Za-z0-9][A-Za-z0-9.-]{0,62}")) {
        fault("name", name, "must be letters, digits, dots and dashes");
      }
    }

    private void fault(String field, String given, String reason) {
      faults.add(new InvalidInputException.Fault(field, given, reason));
    }

    /** Adds handlers, in the order in which they are called on forward events. */
    public Builder handlers(EventHandler... more) {
      return handlers(List.of(more));
    }

    /** Adds handlers. */
    public Builder handlers(Collection<? extends EventHandler> more) {
      handlers.addAll(more);
      return this;
    }

    /** Adds the handlers of every {@link HandlerProvider} that the class loader finds. */
    public Builder discover(ClassLoader loader) {
      return discover(loader, Fields.empty());
    }

    /**
     * Adds the handlers of every {@link HandlerProvider} that the class loader finds, behind the
     * given ones, by class name of the provider.
     *
     * @param settings given to each
     */
    public Builder discover(ClassLoader loader, Fields settings) {
      return discover(ServiceLoader.load(HandlerProvider.class, loader), settings);
    }

    /** The same in a module layer. */
    public Builder discover(ModuleLayer layer, Fields settings) {
      return discover(ServiceLoader.load(layer, HandlerProvider.class), settings);
    }

    private Builder discover(ServiceLoader<HandlerProvider> found, Fields settings) {
      List<HandlerProvider> providers = new ArrayList<>();
      found.forEach(providers::add);
      providers.sort(Comparator.comparing(provider -> provider.getClass().getName()));
      for (HandlerProvider provider : providers) {
        if (provider.apiVersion() != HandlerProvider.API_VERSION) {
          fault(
              "provider " + provider.getClass().getName(),
              "version " + provider.apiVersion(),
              "was written for another version of the contract; this one is "
                  + HandlerProvider.API_VERSION);
        } else {
          discovered.addAll(provider.handlers(settings));
        }
      }
      return this;
    }

    /** Adds descriptors of values. */
    public Builder descriptors(Descriptor<?, ?>... more) {
      return descriptors(List.of(more));
    }

    /** Adds descriptors of values. */
    public Builder descriptors(Collection<? extends Descriptor<?, ?>> more) {
      descriptors.addAll(more);
      return this;
    }

    /**
     * How its transaction engine is made: its history, which {@code ControllerLoop.transactions()}
     * gives, whether it verifies, what is never tried again. A replay makes its engine with the
     * defaults: a recording of a loop that verifies differs from its replay.
     */
    @Experimental
    public Builder engine(EngineSettings chosen) {
      settings = Objects.requireNonNull(chosen, "settings");
      return this;
    }

    /** Where operations keep their journal and records; without it operations are refused. */
    public Builder datastore(Datastore datastore, EventCodec events) {
      store = Objects.requireNonNull(datastore, "datastore");
      codec = Objects.requireNonNull(events, "events");
      return this;
    }

    /** Back-off of operations; off unless said otherwise. Their number is the configuration's. */
    public Builder operations(OperationOptions chosen) {
      options = Objects.requireNonNull(chosen, "options");
      return this;
    }

    /** The epoch that guards writes; quick; without it, and without an election, none. */
    public Builder epoch(Supplier<Epoch> supplier) {
      epoch = Objects.requireNonNull(supplier, "epoch");
      return this;
    }

    /** Stands by until this process leads; closing the election is the caller's part. */
    public Builder election(LeaderElection election, String candidate) {
      Elected runner = new Elected(election, candidate);
      elected = runner;
      epoch = runner::epoch;
      lease = election.lease();
      return this;
    }

    /**
     * When what an earlier leader has begun on the backend is over (JT-14): until then an operation
     * that it has left is not touched, and who repeats it is told to come later. With an election,
     * unless said otherwise, after its lease's time and the configuration's {@code stepLimit};
     * without one, at once.
     */
    @Experimental("new")
    public Builder formerActs(FormerActs acts) {
      formerActs = Objects.requireNonNull(acts, "acts");
      return this;
    }

    /** The numbers; {@link LoopConfig#DEFAULT} unless said otherwise. */
    public Builder config(LoopConfig numbers) {
      config = Objects.requireNonNull(numbers, "config");
      return this;
    }

    /** Writes a box to the log when an event begins, and one when it has ended; else none. */
    public Builder banners(Banners chosen) {
      banners = Objects.requireNonNull(chosen, "banners");
      return this;
    }

    /** Adds a listener. */
    public Builder listener(LoopListener listener) {
      listeners.add(Objects.requireNonNull(listener, "listener"));
      return this;
    }

    /** Binds the loop's numbers to a registry, until it has ended; without it none are counted. */
    public Builder metrics(LoopMetrics chosen) {
      metrics = Objects.requireNonNull(chosen, "metrics");
      return this;
    }

    /**
     * Adds an action for when the loop's thread does not move ({@link LoopConfig#stallWarning},
     * {@link LoopConfig#stallLimit}); a loop on the caller's thread is not watched.
     */
    public Builder onStall(StallListener listener) {
      watchers.add(Objects.requireNonNull(listener, "listener"));
      return this;
    }

    /** Sees every input and decision: a recorder. */
    public Builder observer(LoopObserver chosen) {
      observer = Objects.requireNonNull(chosen, "observer");
      return this;
    }

    /** Time; the machine's unless said otherwise. */
    public Builder clock(LoopClock chosen) {
      clock = Objects.requireNonNull(chosen, "clock");
      return this;
    }

    /** Where the run's seed comes from; a secure source unless said otherwise. */
    public Builder seed(LongSupplier source) {
      seed = Objects.requireNonNull(source, "seed");
      return this;
    }

    /** What {@code turn.version} answers; the newest unless said otherwise. */
    public Builder versions(LoopParts.Versions chosen) {
      versions = Objects.requireNonNull(chosen, "versions");
      return this;
    }

    /** Adds a source of external configuration. */
    public Builder externalSource(ExternalSource source) {
      sources.add(Objects.requireNonNull(source, "source"));
      return this;
    }

    /**
     * Makes the loop, starts it, and returns when it runs. Its gate is closed until the first full
     * resync has succeeded.
     *
     * @throws InvalidInputException when parts contradict each other; all faults at once
     * @throws RuntimeException what an election throws when it is asked; the loop is closed then
     */
    public ControllerLoop start() {
      LoopClock time = clock == null ? LoopClock.system() : clock;
      RingLoop loop = new RingLoop(parts(time), time, epoch, List.copyOf(watchers));
      bind(loop.readings(), loop::atEnd);
      loop.start(seed.getAsLong());
      runForLeader(loop, loop::led);
      return loop;
    }

    /** Makes a loop that runs on the caller's thread, by a clock that is turned by hand. */
    public ManualLoop manual(ManualClock time) {
      ManualLoop loop = new ManualLoop(parts(time), time, epoch);
      bind(loop.readings(), loop::atEnd);
      loop.start(seed.getAsLong());
      runForLeader(loop, loop::led);
      return loop;
    }

    /** A loop that cannot even run for leader is closed again: nobody else could do it. */
    private void runForLeader(ControllerLoop loop, Consumer<Boolean> led) {
      if (elected == null) {
        return;
      }
      try {
        elected.run(led);
      } catch (RuntimeException | Error thrown) {
        var unused = loop.close(Duration.ZERO);
        throw thrown;
      }
    }

    private void bind(LoopReadings readings, Consumer<Runnable> atEnd) {
      if (metrics != null && tally != null) {
        atEnd.accept(metrics.bind(tally, readings));
      }
    }

    private List<LoopListener> listeners(LoopClock time) {
      List<LoopListener> all = new ArrayList<>();
      if (metrics != null) {
        LoopTally counts = metrics.tally();
        tally = counts;
        all.add(counts);
      }
      if (banners != null) {
        all.add(new BannerListener(banners, time::nanos));
      }
      all.addAll(listeners);
      return all;
    }

    private LoopParts parts(LoopClock time) {
      sourceFaults();
      List<EventHandler> ordered = List.of();
      EngineCore engine = new EngineCore(List.of());
      try {
        List<EventHandler> all = new ArrayList<>(handlers);
        all.addAll(discovered);
        ordered = HandlerOrder.of(all);
      } catch (InvalidInputException wrong) {
        faults.addAll(wrong.faults());
      }
      try {
        engine = new EngineCore(descriptors, settings);
      } catch (InvalidInputException wrong) {
        faults.addAll(wrong.faults());
      }
      if (!faults.isEmpty()) {
        throw new InvalidInputException("loop " + name, faults);
      }
      return new LoopParts(
          name,
          config,
          ordered,
          descriptors,
          engine,
          operations(time),
          sources,
          listeners(time),
          observer,
          epoch,
          elected != null,
          time::nanos,
          versions);
    }

    private void sourceFaults() {
      Set<String> names = new HashSet<>(Set.of("db"));
      for (ExternalSource source : sources) {
        if (!names.add(source.name())) {
          fault("external source", source.name(), "has a name that is taken");
        }
      }
    }

    private Optional<LoopParts.Operations> operations(LoopClock time) {
      if (store == null || codec == null) {
        return Optional.empty();
      }
      return Optional.of(
          new LoopParts.Operations(
              new OperationCore(options.atMost(config.maxOperations())),
              new Journal(
                  store, codec, epoch, new WallClock(time), formerActs(new WallClock(time)))));
    }

    private FormerActs formerActs(Clock clock) {
      if (formerActs != null) {
        return formerActs;
      }
      return elected == null
          ? FormerActs.none()
          : FormerActs.waiting(lease.plus(config.stepLimit()), clock);
    }
  }
}
