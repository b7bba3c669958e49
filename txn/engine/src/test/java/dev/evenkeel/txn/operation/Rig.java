package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.OperationLoader;
import dev.evenkeel.api.handler.Reader;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.Txn;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.TxnCollector;
import dev.evenkeel.txn.TxnEntry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A controller in small, on the test's own thread: one handler that makes, removes and grows
 * volumes, over fakes that survive {@link #restart}.
 */
final class Rig {
  final Faults faults = new Faults();
  final FakeStore store;
  final Backend backend = new Backend(faults);
  final List<String> actions = new ArrayList<>();
  Instant now = Instant.parse("2026-01-01T00:00:00Z");
  Epoch epoch = Epoch.NONE;
  Journal journal;
  OperationCore core;
  private int transactions;

  Rig(boolean batches) {
    store = new FakeStore(faults, batches);
    journal = new Journal(store, VolumeEvent.CODEC, () -> epoch, Clock.fixed(now, ZoneOffset.UTC));
    core = new OperationCore(OperationOptions.usual().withoutBackOff());
  }

  /** How an operation ended. */
  record Ended(TransactionOutcome outcome, List<Failure> failures, List<String> steps) {
    ErrorKind kind() {
      return failures.get(0).kind();
    }
  }

  /** The process has died; what is durable stays. */
  void restart() {
    faults.disarm();
    core = new OperationCore(OperationOptions.usual().withoutBackOff());
  }

  /** Everything durable, with the ids and times left out. */
  String state() {
    StringBuilder out = new StringBuilder();
    store.data.forEach(
        (path, entry) ->
            out.append(path.replaceAll("t\\d+", "t"))
                .append(" = ")
                .append(entry.value().toString().replaceAll("t\\d+", "t"))
                .append('\n'));
    backend.things.forEach(thing -> out.append(thing.replaceAll("t\\d+", "t")).append('\n'));
    return out.toString();
  }

  Operation admit(VolumeEvent event) {
    Admission admission = core.admit(event, event.lane(), "t" + ++transactions, now);
    if (admission instanceof Admission.Admitted admitted) {
      return admitted.operation();
    }
    throw new AssertionError(admission);
  }

  /** An operation that is to be planned. */
  record Planned(Operation operation, Found found, Loaded loaded) {}

  /** Up to the verdict, which is to plan. */
  Planned plan(VolumeEvent event) {
    Operation operation = admit(event);
    Loaded loaded = load(core.loading(operation, journal, List.of(loader())));
    Verdict verdict = core.judge(operation, loaded);
    return new Planned(operation, ((Verdict.Plan) verdict).found(), loaded);
  }

  /** The cursor that its handler wants. */
  Cursor<OperationReport> script(VolumeEvent event, Planned planned) {
    List<TxnEntry> entries =
        entries(event, planned.found(), planned.loaded(), planned.operation().transaction());
    return core.script(planned.operation(), planned.found(), entries, journal);
  }

  /** One operation with what a test wants. */
  Ended run(VolumeEvent event, Consumer<Txn> wants) {
    Planned planned = plan(event);
    TxnCollector txn = new TxnCollector(TxnCollector.Mode.OPERATION, new NoValues());
    txn.owner("h");
    wants.accept(txn);
    return ended(
        planned.operation(),
        drive(core.script(planned.operation(), planned.found(), txn.entries(), journal)));
  }

  Ended run(VolumeEvent event) {
    Admission admission = core.admit(event, event.lane(), "t" + ++transactions, now);
    if (admission instanceof Admission.Refused refused) {
      return refused(refused.failure());
    }
    Operation operation = ((Admission.Admitted) admission).operation();
    while (true) {
      Loaded loaded;
      try {
        loaded = load(core.loading(operation, journal, List.of(loader())));
      } catch (RuntimeException failed) {
        core.abandon(operation);
        return refused(Failure.of("loader", "load", failed));
      }
      Verdict verdict = core.judge(operation, loaded);
      if (verdict instanceof Verdict.Refuse refuse) {
        core.abandon(operation);
        return refused(refuse.failure());
      }
      if (verdict instanceof Verdict.Plan found) {
        return plan(operation, event, found.found(), loaded);
      }
      Optional<Ended> stuck = recover(operation, (Verdict.RecoverFirst) verdict);
      if (stuck.isPresent()) {
        return stuck.get();
      }
    }
  }

  private Ended plan(Operation operation, VolumeEvent event, Found found, Loaded loaded) {
    List<TxnEntry> entries;
    try {
      entries = entries(event, found, loaded, operation.transaction());
    } catch (EvenkeelException refused) {
      core.abandon(operation);
      return refused(Failure.of("volumes", "update", refused));
    }
    return ended(operation, drive(core.script(operation, found, entries, journal)));
  }

  private Optional<Ended> recover(Operation operation, Verdict.RecoverFirst first) {
    Loaded old = load(core.loading(operation, first.old(), journal, List.of(loader())));
    List<TxnEntry> entries =
        entries(
            (VolumeEvent) first.old(),
            new Found.Interrupted(first.intent()),
            old,
            first.intent().transaction());
    OperationReport report =
        drive(core.recovery(operation, first.intent(), first.forward(), entries, journal));
    boolean fine =
        report.outcome() == TransactionOutcome.APPLIED
            || report.outcome() == TransactionOutcome.REVERTED;
    return fine ? Optional.empty() : Optional.of(ended(operation, report));
  }

  Ended ended(Operation operation, OperationReport report) {
    core.end(operation, report, now);
    return new Ended(
        report.outcome(),
        report.failures(),
        report.steps().stream().map(s -> s.name() + " " + s.act()).toList());
  }

  private static Ended refused(Failure failure) {
    return new Ended(TransactionOutcome.REJECTED, List.of(failure), List.of());
  }

  Loaded load(Action action) {
    try {
      return (Loaded) action.run(new Context(null));
    } catch (RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  OperationReport drive(Cursor<OperationReport> cursor) {
    ActionOutcome outcome = new ActionOutcome.Start();
    while (true) {
      Cursor.Next<OperationReport> next = cursor.next(outcome);
      if (next instanceof Cursor.Next.End<OperationReport> end) {
        return end.result();
      }
      outcome = perform(((Cursor.Next.Act<OperationReport>) next).action(), cursor);
    }
  }

  ActionOutcome perform(Action action, Cursor<OperationReport> cursor) {
    actions.add(action.kind() + " " + action.target());
    try {
      return new ActionOutcome.Done(action.run(new Context(cursor)), Duration.ZERO);
    } catch (Exception thrown) {
      return new ActionOutcome.Failed(thrown, Duration.ZERO);
    }
  }

  // The handler.

  static Cell.At name(String name) {
    return new Cell.At("name-" + name);
  }

  static Cell.At object(String uuid) {
    return new Cell.At("object-" + uuid);
  }

  private OperationLoader loader() {
    return (UpdateEvent event, Reader reader) -> {
      VolumeEvent e = (VolumeEvent) event;
      reader.read(name(e.name())).ifPresent(cell -> reader.read(object(cell.text())));
    };
  }

  List<TxnEntry> entries(VolumeEvent event, Found found, Loaded loaded, String transaction) {
    TxnCollector txn = new TxnCollector(TxnCollector.Mode.OPERATION, new NoValues());
    txn.owner("volumes");
    Optional<String> uuid = loaded.get(name(event.name())).map(Cell::text);
    switch (event.kind()) {
      case "create" -> create(txn, event, found, uuid.orElse("u" + transaction), loaded);
      case "delete" -> uuid.ifPresent(id -> delete(txn, event, id));
      default -> {
        String id = uuid.orElseThrow(() -> new EvenkeelException(ErrorKind.NOT_FOUND, "no volume"));
        var unused = txn.step(backend.removing("shrunk", "small-" + id));
      }
    }
    return txn.entries();
  }

  private void create(Txn txn, VolumeEvent event, Found found, String uuid, Loaded loaded) {
    Ref<String> image = txn.step(backend.making("image", "image-" + uuid));
    if (found instanceof Found.Repeat) {
      return;
    }
    Cell.At object = object(uuid);
    Cell reserved = new Cell("reserved " + event.name() + " " + event.fingerprint());
    Optional<Cell> there = loaded.has(object) ? loaded.get(object) : Optional.empty();
    txn.reserve(name(event.name()), new Cell(uuid));
    txn.reserve(object, there.orElse(reserved));
    var small = txn.step(backend.making("small", "small-" + uuid));
    var unused =
        txn.step(
            Steps.step("meta", String.class)
                .probe(
                    context ->
                        backend.things.contains("meta-" + context.get(image))
                            ? Probe.present("meta-" + context.get(image))
                            : Probe.absent())
                .apply(
                    context -> {
                      backend.make("meta-" + context.get(image));
                      return "meta-" + context.get(image);
                    })
                .undo((context, done) -> backend.remove(done)));
    txn.record(
        object,
        results ->
            new Cell(
                "created " + event.fingerprint() + " " + results.get(image) + results.get(small)));
    txn.records(
        RecordPhase.UNCERTAIN, (results, writer) -> writer.put(object, new Cell("unknown")));
  }

  private void delete(Txn txn, VolumeEvent event, String uuid) {
    for (String thing : List.of("meta-image-", "small-", "image-")) {
      var unused = txn.step(backend.removing("no-" + thing, thing + uuid));
    }
    txn.erase(object(uuid));
    txn.erase(name(event.name()));
  }

  /** Nothing is committed. */
  static final class NoValues implements ValueReader {
    @Override
    public ValueStatus status(Key<?> key) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<ValueStatus> statuses(String prefix) {
      return List.of();
    }

    @Override
    public <V> Optional<V> desired(Key<V> key) {
      return Optional.empty();
    }

    @Override
    public <V> Optional<V> applied(Key<V> key) {
      return Optional.empty();
    }

    @Override
    public <V> List<KeyedValue<V>> allApplied(KeyType<V> type) {
      return List.of();
    }

    @Override
    public <M> Optional<M> metadata(Key<?> key, Class<M> type) {
      return Optional.empty();
    }

    @Override
    public List<String> findByIndex(String descriptor, String index, String entry) {
      return List.of();
    }
  }

  private record Context(@Nullable Cursor<?> cursor) implements StepContext {
    @Override
    public <T> T get(Ref<T> ref) {
      return Objects.requireNonNull(cursor).results().get(ref);
    }

    @Override
    public Secret secret(String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Instant deadline() {
      return Instant.MAX;
    }

    @Override
    public boolean cancelled() {
      return false;
    }

    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }

    @Override
    public String transaction() {
      return "";
    }

    @Override
    public void checkReadable() {}
  }
}
