package dev.evenkeel.controller.recording;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.EvenkeelException;
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
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Feeds a recording's inputs to a core with the given handlers, and compares what it decides with
 * what was recorded, by kind, name and place. A driver of the core like the ring, but one that runs
 * no effect: what the outside said is in the recording. Single-threaded, reads one file.
 */
public final class Replayer {
  private final RecordingCodec codec;
  private final List<EventHandler> handlers;
  private final OperationOptions operations;

  private Replayer(RecordingCodec codec, List<EventHandler> handlers, OperationOptions operations) {
    this.codec = codec;
    this.handlers = List.copyOf(handlers);
    this.operations = operations;
  }

  /**
   * A replayer for a loop without back-off.
   *
   * @param codec with the descriptors that were recorded; only their pure parts are called
   * @param handlers the same as recorded, by name; in any order
   */
  public static Replayer of(RecordingCodec codec, List<? extends EventHandler> handlers) {
    return new Replayer(codec, List.copyOf(handlers), OperationOptions.usual().withoutBackOff());
  }

  /** The same for a loop that admitted operations like this. */
  public Replayer operations(OperationOptions options) {
    return new Replayer(codec, handlers, options);
  }

  /**
   * Replays a recording from its first turn to its last; blocks.
   *
   * @return the first difference, or empty when every decision was the same
   * @throws EvenkeelException when the file is no recording, cannot be read, or holds events that
   *     the codec does not know
   */
  public Optional<Difference> replay(Path file) {
    try (Recording recording = Recording.open(file, codec.values)) {
      return replay(recording);
    }
  }

  private Optional<Difference> replay(Recording recording) {
    Header header = recording.header();
    Map<String, EventHandler> byName = new HashMap<>();
    handlers.forEach(handler -> byName.put(handler.name(), handler));
    List<EventHandler> ordered =
        header.handlers().stream().map(byName::get).filter(Objects::nonNull).toList();
    if (ordered.size() != header.handlers().size() || ordered.size() != handlers.size()) {
      return Optional.of(
          new Difference(
              0,
              "the recorded handlers are "
                  + header.handlers()
                  + ", the replayed ones "
                  + handlers.stream().map(EventHandler::name).toList()));
    }
    Catalog catalog = new Catalog(codec);
    Inputs inputs = new Inputs(codec, catalog);
    Seen seen = new Seen(catalog, new Decisions(codec));
    LoopCore core = new LoopCore(parts(header, ordered, seen), new NoEffects());
    Optional<Recording.Turn> turn = recording.next();
    while (turn.isPresent()) {
      core.accept(inputs.input(turn.get().input()), turn.get().at());
      Optional<Difference> difference = compare(turn.get(), seen.take());
      if (difference.isPresent()) {
        return difference;
      }
      turn = recording.next();
    }
    return Optional.empty();
  }

  private static Optional<Difference> compare(
      Recording.Turn turn, List<SortedMap<String, Object>> replayed) {
    List<SortedMap<String, Object>> recorded = turn.decisions();
    for (int i = 0; i < Math.max(recorded.size(), replayed.size()); i++) {
      Optional<Difference> difference =
          Difference.between(turn, i, at(recorded, i), at(replayed, i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private static Optional<SortedMap<String, Object>> at(
      List<SortedMap<String, Object>> decisions, int index) {
    return index < decisions.size() ? Optional.of(decisions.get(index)) : Optional.empty();
  }

  private LoopParts parts(Header header, List<EventHandler> ordered, LoopObserver observer) {
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
        LoopParts.Versions.NEWEST);
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
