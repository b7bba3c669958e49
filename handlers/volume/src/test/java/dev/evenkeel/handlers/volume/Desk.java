package dev.evenkeel.handlers.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.Intent;
import dev.evenkeel.api.handler.OperationLoader;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stored records, a backend and the stock handlers, to plan requests with. */
final class Desk {
  static final long MIB = PaperBackend.MIB;
  static final Found NEW = new Found.New();
  static final Found REPEAT = new Found.Repeat("t-before", Instant.EPOCH);
  static final Found INTERRUPTED =
      new Found.Interrupted(
          new Intent("t-before", "kind", "subject", 1, "print", Epoch.NONE, Instant.EPOCH));

  final PaperBackend backend = new PaperBackend();
  final SortedMap<String, Object> store = new TreeMap<>();
  private final AtomicInteger ids = new AtomicInteger();
  VolumeSettings settings = VolumeSettings.of("demo");
  List<EventHandler> handlers = VolumeHandlers.stock(backend, settings);

  /** Results of steps: every image has ten times a MiB, every removal has changed something. */
  static final Results RESULTS = results(true);

  static Results results(boolean changed) {
    return new Results() {
      @Override
      public <T> T get(Ref<T> ref) {
        Object result =
            ref.type() == Image.class
                ? new Image("image", "backend-id", 10 * MIB)
                : new Done(changed);
        return ref.type().cast(result);
      }
    };
  }

  void settings(VolumeSettings other) {
    settings = other;
    handlers = VolumeHandlers.stock(backend, settings);
  }

  PlanTurn plan(Request<?> request) throws Exception {
    return plan(request, NEW);
  }

  PlanTurn plan(Request<?> request, Found found) throws Exception {
    PlanTurn turn = turn(found);
    for (EventHandler handler : handlers) {
      if (handler instanceof OperationLoader loader && handler.handlesEvent(request)) {
        loader.load(request, turn);
      }
    }
    for (EventHandler handler : handlers) {
      if (handler.handlesEvent(request)) {
        String unused = handler.update(request, turn);
      }
    }
    assertEquals(Map.of(), turn.state, "nothing outlives the turn");
    return turn;
  }

  PlanTurn turn(Found found) {
    return new PlanTurn(store, found, ids);
  }

  void refuses(ErrorKind kind, Request<?> request, Found found) {
    EvenkeelException thrown = assertThrows(EvenkeelException.class, () -> plan(request, found));
    assertEquals(kind, thrown.kind(), thrown::toString);
  }

  /** Does a request as if every step had succeeded. */
  PlanTurn done(Request<?> request) throws Exception {
    PlanTurn turn = plan(request);
    write(turn, RecordPhase.INTENT);
    write(turn, RecordPhase.SUCCESS);
    return turn;
  }

  void write(PlanTurn turn, RecordPhase phase) throws Exception {
    for (PlannedTxn.Written written : turn.txn().written(phase, RESULTS)) {
      String path = written.key().path();
      Optional<Object> before = Optional.ofNullable(store.get(path));
      if (written.how().equals("create") && before.isPresent()) {
        assertEquals(before, written.value(), "created twice, and not equal");
      }
      if (written.value().isPresent()) {
        store.put(path, written.value().get());
      } else {
        store.remove(path);
      }
    }
  }

  ObjectRecord record(ObjectKind kind, String name) {
    NameRecord named = stored(new NameKey(kind, name));
    return stored(new ObjectKey(kind, named.uuid()));
  }

  <V> V stored(Key<V> key) {
    return Optional.ofNullable(store.get(key.path()))
        .map(key.type().valueType()::cast)
        .orElseThrow(() -> new AssertionError("nothing stored at " + key.path()));
  }

  void replace(ObjectKind kind, ObjectRecord record) {
    store.put(new ObjectKey(kind, record.uuid()).path(), record);
  }
}
