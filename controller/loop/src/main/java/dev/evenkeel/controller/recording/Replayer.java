package dev.evenkeel.controller.recording;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.controller.core.LoopCore;
import dev.evenkeel.controller.core.LoopDecision;
import dev.evenkeel.controller.core.LoopEffects;
import dev.evenkeel.controller.core.LoopObserver;
import dev.evenkeel.controller.core.LoopParts;
import dev.evenkeel.controller.core.Work;
import dev.evenkeel.txn.engine.EngineCore;
import dev.evenkeel.txn.operation.Journal;
import dev.evenkeel.txn.operation.OperationCore;
import dev.evenkeel.txn.operation.OperationOptions;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Feeds a recording's inputs to a core with the given handlers, and compares what it decides with
 * what was recorded, by kind, name and place. A driver of the core like the ring, but one that runs
 * no effect: what the outside said is in the recording. Immutable; reads one recording at a time.
 */
public final class Replayer {
  private final RecordingCodec codec;
  private final List<EventHandler> handlers;
  private final OperationOptions operations;

  private final Consumer<RecordedTurn> before;
  private final long first;
  private final long last;
  private final Duration idle;

  private Replayer(
      RecordingCodec codec,
      List<EventHandler> handlers,
      OperationOptions operations,
      Consumer<RecordedTurn> before,
      long first,
      long last,
      Duration idle) {
    this.codec = codec;
    this.handlers = List.copyOf(handlers);
    this.operations = operations;
    this.before = before;
    this.first = first;
    this.last = last;
    this.idle = idle;
  }

  /**
   * A replayer for a loop without back-off.
   *
   * @param codec with the descriptors that were recorded; only their pure parts are called
   * @param handlers the same as recorded, by name; in any order
   */
  public static Replayer of(RecordingCodec codec, List<? extends EventHandler> handlers) {
    return new Replayer(
        codec,
        List.copyOf(handlers),
        OperationOptions.usual().withoutBackOff(),
        turn -> {},
        1,
        Long.MAX_VALUE,
        Duration.ofMinutes(1));
  }

  /** The same for a loop that admitted operations like this. */
  public Replayer operations(OperationOptions options) {
    return new Replayer(codec, handlers, options, before, first, last, idle);
  }

  /** Told of each turn before it is replayed: what is not in the turn can be set up there. */
  @Experimental
  public Replayer before(Consumer<RecordedTurn> setUp) {
    return new Replayer(codec, handlers, operations, setUp, first, last, idle);
  }

  /**
   * Compares the turns from one number to another alone, both included; those before are only fed.
   */
  @Experimental
  public Replayer turns(long from, long to) {
    return new Replayer(codec, handlers, operations, before, from, to, idle);
  }

  /** Gives up when a turn takes longer than that; the usual is a minute. */
  @Experimental
  public Replayer idleLimit(Duration longest) {
    return new Replayer(codec, handlers, operations, before, first, last, longest);
  }

  /**
   * Replays a recording, a file or a folder of segments, from its first turn to its last; blocks.
   *
   * @return the first difference, or empty when every decision was the same
   * @throws EvenkeelException when it is no recording, cannot be read, is damaged, or holds events
   *     that the codec does not know; {@code DEADLINE_EXCEEDED} when a turn does not end
   */
  public Optional<Difference> replay(Path recording) {
    return IdleLimit.watch(idle, progress -> replay(recording, progress));
  }

  private Optional<Difference> replay(Path path, LongConsumer progress) {
    try (Recording recording = Recording.open(path, codec.values)) {
      Optional<List<EventHandler>> ordered = ordered(recording.header());
      return ordered.isPresent()
          ? replay(recording, ordered.get(), progress)
          : Optional.of(
              Difference.ofHeader(
                  "handlers",
                  recording.header().handlers().toString(),
                  handlers.stream().map(EventHandler::name).toList().toString()));
    }
  }

  private Optional<List<EventHandler>> ordered(Header header) {
    Map<String, EventHandler> byName = new HashMap<>();
    handlers.forEach(handler -> byName.put(handler.name(), handler));
    List<EventHandler> ordered =
        header.handlers().stream().map(byName::get).filter(Objects::nonNull).toList();
    boolean same = ordered.size() == header.handlers().size() && ordered.size() == handlers.size();
    return same ? Optional.of(ordered) : Optional.empty();
  }

  private Optional<Difference> replay(
      Recording recording, List<EventHandler> ordered, LongConsumer progress) {
    Catalog catalog = new Catalog(codec);
    Inputs inputs = new Inputs(codec, catalog);
    Seen seen = new Seen(catalog, new Decisions(codec));
    RecordedVersions versions = new RecordedVersions();
    LoopCore core =
        new LoopCore(parts(recording.header(), ordered, seen, versions), new NoEffects());
    Optional<RecordedTurn> next = recording.next();
    while (next.isPresent() && next.get().number() <= last) {
      RecordedTurn turn = next.get();
      progress.accept(turn.number());
      Optional<Difference> held = held(turn, core);
      if (held.isPresent()) {
        return held;
      }
      before.accept(turn);
      versions.turn(turn);
      core.accept(inputs.input(turn.input()), turn.at());
      Optional<Difference> difference = compare(turn, seen.take(), versions);
      if (difference.isPresent() && turn.number() >= first) {
        return difference;
      }
      next = recording.next();
    }
    return Optional.empty();
  }

  /** At the beginning of a segment the handlers' state is compared, too. */
  private Optional<Difference> held(RecordedTurn turn, LoopCore core) {
    if (turn.states().isEmpty() || turn.number() < first) {
      return Optional.empty();
    }
    SortedMap<String, Object> now = Recorder.statesTree(codec, core.stateSnapshot());
    return now.equals(turn.states().get())
        ? Optional.empty()
        : Optional.of(
            Difference.of(
                turn, "states", Values.JSON.write(turn.states().get()), Values.JSON.write(now)));
  }

  private static Optional<Difference> compare(
      RecordedTurn turn, List<SortedMap<String, Object>> made, RecordedVersions versions) {
    if (versions.outside().isPresent()) {
      return Optional.of(
          Difference.of(turn, "versions", "outside of them", versions.outside().get()));
    }
    // Asking for a version is not a decision: code that asks replays what has not asked yet.
    List<SortedMap<String, Object>> recorded = withoutVersions(turn.decisions());
    List<SortedMap<String, Object>> replayed = withoutVersions(made);
    int most = turn.whole() ? Math.max(recorded.size(), replayed.size()) : recorded.size();
    for (int i = 0; i < most; i++) {
      Optional<Difference> difference =
          Difference.between(turn, i, at(recorded, i), at(replayed, i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private static List<SortedMap<String, Object>> withoutVersions(
      List<SortedMap<String, Object>> decisions) {
    return decisions.stream().filter(decision -> !RecordedVersions.isOne(decision)).toList();
  }

  private static Optional<SortedMap<String, Object>> at(
      List<SortedMap<String, Object>> decisions, int index) {
    return index < decisions.size() ? Optional.of(decisions.get(index)) : Optional.empty();
  }

  private LoopParts parts(
      Header header, List<EventHandler> ordered, LoopObserver observer, RecordedVersions versions) {
    return new LoopParts(
        header.loop(),
        header.config(),
        ordered,
        codec.descriptors(),
        new EngineCore(codec.descriptors()),
        Optional.of(
            new LoopParts.Operations(
                new OperationCore(operations.atMost(header.config().maxOperations())),
                new Journal(
                    new NoDatastore(),
                    codec.events,
                    () -> Epoch.NONE,
                    Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)))),
        header.sources().stream().<ExternalSource>map(SilentSource::new).toList(),
        List.of(),
        observer,
        () -> Epoch.NONE,
        header.elected(),
        () -> 0,
        versions);
  }

  /** Collects the decisions of a turn. */
  private static final class Seen implements LoopObserver {
    private final Catalog catalog;
    private final Decisions decisions;
    private List<SortedMap<String, Object>> made = new ArrayList<>();

    Seen(Catalog catalog, Decisions decisions) {
      this.catalog = catalog;
      this.decisions = decisions;
    }

    @Override
    public void onDecision(long turn, LoopDecision decision) {
      catalog.learn(decision);
      made.add(decisions.tree(decision));
    }

    List<SortedMap<String, Object>> take() {
      List<SortedMap<String, Object>> taken = made;
      made = new ArrayList<>();
      return taken;
    }
  }

  private static final class NoEffects implements LoopEffects {
    @Override
    public void run(Work work) {
      // Its outcome is in the recording.
    }

    @Override
    public void cancel(long work) {
      // Nothing runs.
    }
  }

  private record SilentSource(Header.Source source) implements ExternalSource {
    @Override
    public String name() {
      return source.name();
    }

    @Override
    public int priority() {
      return source.priority();
    }

    @Override
    public InputState snapshot() {
      throw new IllegalStateException("a replay asks nobody");
    }
  }
}
