package dev.evenkeel.controller.source;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.ParseFailCallbacks;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.SyncStatus;
import dev.evenkeel.api.datastore.Syncer;
import dev.evenkeel.api.datastore.SyncerCallbacks;
import dev.evenkeel.api.datastore.SyncerOptions;
import dev.evenkeel.api.datastore.Update;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ExternalResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.EventQueueFullException;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.NotLeaderException;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.core.LoopClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what the core of a datastore source wants done, on the source's thread. */
final class SourceDriver {
  private static final Logger LOG = LoggerFactory.getLogger(SourceDriver.class);

  private final DatastoreSource.Builder parts;
  private final SourceCore core;
  private final Object lock;
  private final LoopClock clock;
  private final Pump pump;
  private final EventLoop loop;
  private final SourceOptions options;
  private final @Nullable Mirror mirror;
  private final Map<Integer, Syncer> syncers = new TreeMap<>();

  SourceDriver(
      DatastoreSource.Builder parts,
      SourceCore core,
      Object lock,
      LoopClock clock,
      Pump pump,
      EventLoop loop) {
    this.parts = parts;
    this.core = core;
    this.lock = lock;
    this.clock = clock;
    this.pump = pump;
    this.loop = loop;
    this.options = core.options();
    this.mirror =
        parts.mirror == null
            ? null
            : new Mirror(parts.mirror, parts.name, parts.kinds.keySet(), options.callLimit());
  }

  /** All that is there to do; when it wants to be called next. */
  Optional<Instant> work() {
    while (true) {
      Effect effect;
      Optional<Instant> next;
      synchronized (lock) {
        Instant now = clock.now();
        core.tick(now);
        effect = core.poll(now);
        next = core.next();
      }
      if (effect == null) {
        if (core.isClosed()) {
          List.copyOf(syncers.keySet()).forEach(this::stop);
        }
        return next;
      }
      perform(effect);
    }
  }

  /** Something has happened; on any thread. */
  private void input(Consumer<Instant> happened) {
    synchronized (lock) {
      happened.accept(clock.now());
    }
    pump.wake();
  }

  private void perform(Effect effect) {
    if (effect instanceof Effect.Probe probe) {
      probe(probe.id());
    } else if (effect instanceof Effect.StartSync start) {
      start(start.generation());
    } else if (effect instanceof Effect.StopSync stop) {
      stop(stop.generation());
    } else if (effect instanceof Effect.Check check) {
      check(check);
    } else if (effect instanceof Effect.Push push) {
      push(push.id(), push.event());
    } else if (effect instanceof Effect.PushAll all) {
      push(
          all.id(),
          new DatastoreResync(state(all.all(), false), state(all.all(), true), all.local()));
    } else if (effect instanceof Effect.PushExternal all) {
      push(all.id(), new ExternalResync(Outbox.DB, state(all.all(), true)));
    } else if (effect instanceof Effect.Report report) {
      LOG.warn("{}", report.failure());
      tell(() -> parts.listener.onProblem(report.failure()));
    } else if (effect instanceof Effect.Tell tell) {
      LOG.info("source {} is {}", parts.name, tell.status().phase());
      tell(() -> parts.listener.onPhase(tell.status()));
    } else {
      mirror(effect);
    }
  }

  private static void tell(Runnable listener) {
    try {
      listener.run();
    } catch (RuntimeException | Error thrown) {
      LOG.error("a source's listener has failed", thrown);
    }
  }

  private static InputState state(List<Pair> pairs, boolean external) {
    List<KeyedValue<?>> values = new ArrayList<>();
    for (Pair pair : pairs) {
      if (pair.external() == external) {
        values.add(pair.keyed());
      }
    }
    return values.isEmpty() ? InputState.empty() : InputState.of(values);
  }

  private void probe(long id) {
    Call call = Call.within(options.probeLimit());
    call(
        () -> parts.remote.get(new ProbeKey(parts.name), Revision.NONE, call),
        (found, failed) -> {
          boolean answered =
              failed == null
                  || failed instanceof DatastoreException.DoesNotExist
                  || failed instanceof DatastoreException.ParsingEntry;
          Optional<Failure> failure =
              answered || failed == null
                  ? Optional.empty()
                  : Optional.of(DatastoreSource.failure("probe", failed));
          input(now -> core.probed(id, failure, now));
        });
  }

  private void check(Effect.Check check) {
    call(
        () -> new Checker(parts.remote, check.keys(), options.callLimit()).run(),
        (done, failed) ->
            input(
                now -> {
                  if (failed != null || done == null) {
                    core.checkFailed(check.id(), failure("check", failed), now);
                  } else {
                    core.checked(check.id(), done.unparsable(), done.gone(), now);
                  }
                }));
  }

  private static Failure failure(String operation, @Nullable Throwable thrown) {
    return DatastoreSource.failure(
        operation, thrown == null ? new IllegalStateException("no answer") : thrown);
  }

  private void mirror(Effect effect) {
    Mirror to = mirror;
    if (to == null) {
      return;
    }
    if (effect instanceof Effect.ReadMirror read) {
      call(
          to::read,
          (pairs, failed) -> {
            if (failed != null || pairs == null) {
              input(now -> core.mirrorFailed(read.id(), failure("read mirror", failed), now));
            } else {
              input(now -> core.mirrorRead(read.id(), pairs, now));
            }
          });
    } else if (effect instanceof Effect.ReplaceMirror write) {
      call(
          () -> to.replace(write.all(), write.newest()),
          (done, failed) -> written(write.id(), failed));
    } else if (effect instanceof Effect.ChangeMirror write) {
      call(
          () -> to.change(write.changes(), write.values(), write.newest()),
          (done, failed) -> written(write.id(), failed));
    }
  }

  private void written(long id, @Nullable Throwable failed) {
    if (failed == null) {
      input(now -> core.mirrorWritten(id));
    } else {
      input(now -> core.mirrorFailed(id, failure("write mirror", failed), now));
    }
  }

  /** A call on a store; what it throws counts as its failure. */
  private static <T> void call(
      Supplier<CompletionStage<T>> made, BiConsumer<@Nullable T, @Nullable Throwable> then) {
    CompletionStage<T> stage;
    try {
      stage = made.get();
    } catch (RuntimeException thrown) {
      stage = CompletableFuture.failedFuture(thrown);
    }
    var unused =
        stage.whenComplete(
            (value, failed) ->
                then.accept(
                    value, failed instanceof CompletionException ? failed.getCause() : failed));
  }

  private void start(int generation) {
    List<SyncerOptions.Source<?>> sources = new ArrayList<>();
    parts.kinds.keySet().forEach(kind -> sources.add(all(kind)));
    SyncerOptions how =
        new SyncerOptions(
            sources,
            SyncerOptions.StatusMode.REGRESSING,
            SyncerOptions.ParsePolicy.KEEP_LAST,
            options.retryFirst(),
            options.probeInterval());
    try {
      Syncer syncer = parts.remote.syncer(how, new Heard(generation));
      syncers.put(generation, syncer);
      syncer.start();
    } catch (RuntimeException thrown) {
      input(now -> core.syncFailed(generation, DatastoreSource.failure("sync", thrown), now));
    }
  }

  private static <V> SyncerOptions.Source<V> all(KeyType<V> kind) {
    return new SyncerOptions.Source<>(ListOptions.all(kind), Optional.empty());
  }

  private void stop(int generation) {
    Syncer syncer = syncers.remove(generation);
    if (syncer != null) {
      syncer.stop();
    }
  }

  /** What a syncer says, with the number that tells whether it is still listened to. */
  private final class Heard implements SyncerCallbacks, ParseFailCallbacks {
    private final int generation;

    Heard(int generation) {
      this.generation = generation;
    }

    @Override
    public void onStatusUpdated(SyncStatus status) {
      input(now -> core.status(generation, status, now));
    }

    @Override
    public void onUpdates(List<Update> updates) {
      input(now -> core.updates(generation, updates));
    }

    @Override
    public void parseFailed(String rawKey, Optional<byte[]> rawValue) {
      input(now -> core.unparsable(generation, rawKey));
    }
  }

  private void push(long id, Event event) {
    Outbox.Answer answer;
    try {
      Submission<Void> taken = loop.pushEvent(event);
      answer = Outbox.Answer.ACCEPTED;
      var unused =
          taken
              .outcome()
              .whenComplete(
                  (outcome, failed) ->
                      input(now -> core.ended(outcome instanceof Outcome.Dropped<?>, now)));
    } catch (EventQueueFullException full) {
      answer = Outbox.Answer.FULL;
    } catch (NotLeaderException standby) {
      answer = Outbox.Answer.STANDBY;
    } catch (LoopClosedException closed) {
      input(now -> core.close());
      return;
    } catch (RuntimeException thrown) {
      LOG.error("the loop refuses {}", event.type().name(), thrown);
      answer = Outbox.Answer.REFUSED;
    }
    Outbox.Answer said = answer;
    synchronized (lock) {
      core.pushed(id, said, clock.now());
    }
  }
}
