package dev.evenkeel.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.ConversionException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.SyncerOptions.UpdateProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Section 7 of the datastore reference. */
@DisplayName("The usual update processors")
final class ProcessorsTest {
  private static final FakeStore.Kind SOURCES = new FakeStore.Kind("source");
  private static final FakeStore.Kind TARGETS = new FakeStore.Kind("target");
  private static final KeyType<String> SOURCE = SOURCES.type;

  private static FakeStore.FakeKey source(String name) {
    return SOURCES.key(name);
  }

  private static FakeStore.FakeKey target(String name) {
    return TARGETS.key(name);
  }

  private static KeyValue<String> pair(String name, String value) {
    return KeyValue.of(source(name), value).at(new Revision("1"));
  }

  private static KeyValue<String> gone(String name) {
    return KnownPairs.gone(source(name));
  }

  private static List<String> told(List<KeyValue<?>> pairs) {
    return pairs.stream()
        .map(p -> p.key().path() + p.value().map(v -> "=" + v).orElse(" gone"))
        .toList();
  }

  private static List<String> failed(UpdateProcessor<String> processor, KeyValue<String> pair) {
    ConversionException thrown =
        assertThrows(ConversionException.class, () -> processor.process(pair));
    assertEquals(ErrorKind.INVALID, thrown.kind());
    assertEquals(pair.key().path(), thrown.rawKey());
    return told(thrown.pairs());
  }

  /** A source "name" with value "target:value" gives that; "-" nothing, and "!" fails. */
  private static Optional<KeyValue<String>> convert(KeyValue<String> pair) {
    String value = pair.value().orElseThrow();
    if (value.equals("!")) {
      throw new IllegalStateException("odd");
    }
    String[] parts = value.split(":", 2);
    return value.equals("-")
        ? Optional.empty()
        : Optional.of(KeyValue.of(target(parts[0]), parts[1]).at(pair.revision()));
  }

  @Test
  @DisplayName("7.2 7.3 7.7 one into one: nothing and failure are deletes, without an error")
  void converting() {
    UpdateProcessor<String> processor =
        Processors.converting(
            SOURCE,
            key -> target(((FakeStore.FakeKey) key).name() + "-t"),
            pair -> convert(pair).flatMap(KeyValue::value));
    assertEquals(List.of("/target/a-t=1"), told(processor.process(pair("a", "x:1"))));
    assertEquals(List.of("/target/a-t gone"), told(processor.process(pair("a", "-"))));
    assertEquals(List.of("/target/a-t gone"), told(processor.process(pair("a", "!"))));
    assertEquals(List.of("/target/a-t gone"), told(processor.process(gone("a"))));
    assertEquals(List.of("/target/a-t gone"), told(processor.unparsable(source("a"))));
  }

  @Test
  @DisplayName("7.4 many into one: the lowest wins, and the next takes its place")
  void conflicts() {
    UpdateProcessor<String> processor =
        Processors.resolvingConflicts(SOURCE, ProcessorsTest::convert);
    assertEquals(List.of("/target/t=2"), told(processor.process(pair("b", "t:2"))));
    assertEquals(List.of(), told(processor.process(pair("c", "t:3"))), "a higher one is silent");
    assertEquals(List.of("/target/t=1"), told(processor.process(pair("a", "t:1"))), "a lower wins");
    assertEquals(List.of("/target/t=1b"), told(processor.process(pair("a", "t:1b"))));
    assertEquals(List.of("/target/t=2"), told(processor.process(gone("a"))), "the next one");
    assertEquals(List.of(), told(processor.process(gone("c"))), "a loser goes");
    assertEquals(
        List.of("/target/t gone", "/target/u=2"), told(processor.process(pair("b", "u:2"))));
    assertEquals(List.of("/target/u gone"), told(processor.process(pair("b", "-"))), "filtered");
    assertEquals(List.of(), failed(processor, gone("b")), "unknown");
  }

  @Test
  @DisplayName("7.2 7.4 many into one: a failure lets the next win, and is reported")
  void conflictsFail() {
    UpdateProcessor<String> processor =
        Processors.resolvingConflicts(SOURCE, ProcessorsTest::convert);
    assertEquals(List.of(), failed(processor, pair("a", "!")), "nothing was there");
    processor.process(pair("a", "t:1"));
    processor.process(pair("b", "t:2"));
    assertEquals(List.of("/target/t=2"), failed(processor, pair("a", "!")));
    assertEquals(List.of("/target/t gone"), told(processor.unparsable(source("b"))));
    assertEquals(List.of(), told(processor.unparsable(source("b"))));
    processor.process(pair("a", "t:1"));
    processor.onSyncerStarting();
    assertEquals(List.of(), failed(processor, gone("a")), "forgotten");
  }

  /** "x=1,y=,z=3": fields with their values; y is not set. */
  private static List<KeyValue<?>> fields(KeyValue<String> pair) {
    List<KeyValue<?>> made = new ArrayList<>();
    for (String field : pair.value().orElseThrow().split(",", -1)) {
      String[] parts = field.split("=", 2);
      made.add(
          parts[1].isEmpty()
              ? KnownPairs.gone(target(parts[0]))
              : KeyValue.of(target(parts[0]), parts[1]).at(pair.revision()));
    }
    return made;
  }

  @Test
  @DisplayName("7.5 one into many: a field that is not set, or not there any more, is deleted")
  void fanOut() {
    UpdateProcessor<String> processor = Processors.fanningOut(SOURCE, ProcessorsTest::fields);
    assertEquals(
        List.of("/target/x=1", "/target/y gone", "/target/z=3"),
        told(processor.process(pair("a", "x=1,y=,z=3"))));
    assertEquals(
        List.of("/target/y=2", "/target/x gone", "/target/z gone"),
        told(processor.process(pair("a", "y=2"))));
    assertEquals(List.of("/target/y gone"), failed(processor, pair("a", "odd")));
    processor.process(pair("a", "x=1,y=2"));
    assertEquals(List.of("/target/x gone", "/target/y gone"), told(processor.process(gone("a"))));
    assertEquals(List.of(), told(processor.process(gone("a"))));
  }

  @Test
  @DisplayName("7.6 another kind of key, or of value, is an error and gives no pairs")
  void wrongKind() {
    KeyValue<String> other = KeyValue.of(target("a"), "t:1");
    for (UpdateProcessor<String> processor :
        List.of(
            Processors.<String, String>converting(SOURCE, key -> target("t"), KeyValue::value),
            Processors.resolvingConflicts(SOURCE, ProcessorsTest::convert),
            Processors.fanningOut(SOURCE, ProcessorsTest::fields))) {
      assertEquals(List.of(), failed(processor, other));
      assertEquals(List.of(), failed(processor, odd()));
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // as a store that decodes into another type would
  private static KeyValue<String> odd() {
    Key raw = source("a");
    return KeyValue.of(raw, 7);
  }
}
