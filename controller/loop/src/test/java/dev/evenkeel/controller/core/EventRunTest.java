package dev.evenkeel.controller.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.txn.TxnCollector;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The object of an event is used again for the next. */
@DisplayName("The object of an event")
final class EventRunTest {
  /** What stays where it is, and means nothing without another field; that is looked at instead. */
  private static final Set<String> TOGETHER =
      Set.of("selected", "chain", "txn", "outcome", "ended", "begun", "description");

  private record Plain(String name, EventSpec spec) implements UpdateEvent {
    @Override
    public EventType<Plain> type() {
      return EventType.of(name, Plain.class);
    }
  }

  private static LoopInput.Submitted submitted(long id, Event event) {
    return LoopInput.Submitted.of(new EventId(id), event, Instant.EPOCH, Reply.NONE);
  }

  private static List<Field> fields() {
    List<Field> fields = new ArrayList<>();
    for (Field field : EventRun.class.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
        field.setAccessible(true);
        fields.add(field);
      }
    }
    return fields;
  }

  /** Makes the field look as after some event. */
  private static void use(Field field, EventRun run) throws Exception {
    Class<?> type = field.getType();
    Object value = field.get(run);
    if (type == boolean.class) {
      field.set(run, true);
    } else if (type == int.class || type == long.class) {
      field.set(run, 99);
    } else if (type == UndoLog.class) {
      run.undo.add("h", () -> {});
    } else if (type == Calls.class) {
      run.calls.add(List.of("h"), "h", 5);
    } else if (type == BitSet.class) {
      run.succeeded.set(2);
    } else if (Modifier.isFinal(field.getModifiers())) {
      add((Collection<?>) Objects.requireNonNull(value));
    } else if (type == Optional.class) {
      field.set(run, Optional.of("used"));
    } else if (type == String.class) {
      field.set(run, "used");
    } else if (type.isEnum()) {
      Object[] all = type.getEnumConstants();
      field.set(run, all[all.length - 1]);
    } else if (type == List.class) {
      field.set(run, List.of("used"));
    } else {
      field.set(run, someOf(type));
    }
  }

  @SuppressWarnings("unchecked")
  private static void add(Collection<?> collection) {
    ((Collection<Object>) collection).add("used");
  }

  /** An object of that type, whose contents do not matter. */
  private static Object someOf(Class<?> type) throws Exception {
    Class<?> concrete = type;
    if (type.isSealed()) {
      concrete = type.getPermittedSubclasses()[0];
    } else if (type.isInterface()) {
      return Proxy.newProxyInstance(
          type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> null);
    }
    // What serialization uses; no constructor of the type runs.
    Class<?> factories = Class.forName("sun.reflect.ReflectionFactory");
    Object factory = factories.getMethod("getReflectionFactory").invoke(null);
    Constructor<?> constructor =
        (Constructor<?>)
            factories
                .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                .invoke(factory, concrete, Object.class.getDeclaredConstructor());
    return constructor.newInstance();
  }

  private static @Nullable Object comparable(Field field, EventRun run) throws Exception {
    Object value = field.get(run);
    if (value instanceof UndoLog undo) {
      List<String> left = new ArrayList<>();
      undo.run((handler, thrown) -> left.add(handler));
      undo.add("h", () -> left.add("ran"));
      undo.run((handler, thrown) -> left.add(handler));
      return left;
    }
    if (value instanceof Calls calls) {
      calls.add(List.of("h"), "h", 7);
      return calls.list(List.of("h"));
    }
    return value instanceof Collection<?> collection ? new ArrayList<>(collection) : value;
  }

  @Test
  @DisplayName("is as new, every field of it, when it is used again")
  void again() throws Exception {
    LoopInput.Submitted next = submitted(3, new Plain("next", EventSpec.bestEffort()));
    EventRun fresh = new EventRun(next, Optional.empty(), 0);
    EventRun used =
        new EventRun(
            submitted(1, new Plain("last", EventSpec.revertOnFailure())), Optional.of(7L), 5);
    used.txn(TxnCollector.Mode.SERIAL, (ValueReader) someOf(ValueReader.class));
    for (Field field : fields()) {
      use(field, used);
    }
    used.clear();
    EventRun again = used.again(next);
    assertEquals(List.of(), again.selected());
    assertEquals(List.of(), again.chain());
    assertFalse(again.hasTxn());
    assertEquals("", again.word());
    for (Field field : fields()) {
      if (!TOGETHER.contains(field.getName())) {
        assertEquals(comparable(field, fresh), comparable(field, again), field.getName());
      }
    }
    again.clear();
    again.again(next);
    assertEquals(Optional.empty(), again.record().outcome());
    assertEquals(Optional.empty(), again.record().end());
  }

  @Test
  @DisplayName("is not used again while something may hold it")
  void over() {
    EventRun run =
        new EventRun(submitted(1, new Plain("e", EventSpec.bestEffort())), Optional.empty(), 0);
    assertFalse(run.isOver());
    run.answered = true;
    assertTrue(run.isOver());
    run.kept = true;
    assertFalse(run.isOver());
    EventRun resync =
        new EventRun(submitted(2, DatastoreResync.of(InputState.empty())), Optional.empty(), 0);
    resync.answered = true;
    assertFalse(resync.isOver());
  }
}
