package dev.evenkeel.codec.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Fields;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JacksonCodecsTest {
  enum Color {
    RED,
    GREEN
  }

  sealed interface Form {
    record Round(int radius) implements Form {}

    record Square(double side, Optional<Form> inner) implements Form {}
  }

  record Inner(String name, boolean on) {}

  record Everything(
      String text,
      int number,
      long large,
      double fraction,
      boolean truth,
      Color color,
      Instant time,
      Duration span,
      Optional<String> some,
      Optional<Inner> none,
      List<Inner> list,
      Set<Color> colors,
      SortedMap<String, String> map,
      Form form,
      Fields fields,
      Key<?> key) {}

  record Versioned(int version, String name) {
    static final int VERSION = 2;
  }

  record Bad(Object anything) {}

  private static <V> KeyType<V> type(Class<V> valueClass) {
    return KeyType.of("any", "/any/", valueClass, path -> Optional.empty());
  }

  private static final KeyType<Everything> EVERYTHING = type(Everything.class);
  private static final KeyType<Versioned> VERSIONED = type(Versioned.class);

  private final JacksonCodecs codecs = new JacksonCodecs(Limits.VALUES, KeyTypes.withVolumes());

  private static Everything everything() {
    return new Everything(
        "täxt \"quoted\"\n",
        -7,
        Long.MAX_VALUE,
        1.5,
        true,
        Color.GREEN,
        Instant.parse("2026-01-31T12:00:00.123456789Z"),
        Duration.ofMillis(1500),
        Optional.of("x"),
        Optional.empty(),
        List.of(new Inner("a", true), new Inner("b", false)),
        Set.of(Color.RED, Color.GREEN),
        new TreeMap<>(Map.of("b.dotted", "2", "a", "1")),
        new Form.Square(2.25, Optional.of(new Form.Round(3))),
        Fields.of(Map.of("f", "v")),
        new NameKey(ObjectKind.VOLUME, "a/b"));
  }

  private static ObjectRecord object() {
    return new ObjectRecord(
        1,
        "u",
        "id",
        "name",
        ObjectRecord.State.RESERVED,
        "img",
        Optional.empty(),
        0,
        Optional.of("VOLUME:x"),
        new TreeMap<>(Map.of("pool.name", "p")),
        "",
        Instant.EPOCH);
  }

  @Test
  @DisplayName("every kind of component comes back equal, in one line with sorted names")
  void roundTrip() {
    byte[] bytes = codecs.toBytes(EVERYTHING, everything());
    String text = new String(bytes, UTF_8);
    assertEquals(everything(), codecs.fromBytes(EVERYTHING, "/any/x", bytes));
    assertFalse(text.contains("\n"));
    assertTrue(
        text.startsWith("{\"color\":\"GREEN\",\"colors\":[\"GREEN\",\"RED\"],\"fields\":"), text);
    assertTrue(text.contains("\"key\":\"/evenkeel/volumes/by-name/a%2Fb\""), text);
    assertTrue(text.contains("\"map\":{\"a\":\"1\",\"b.dotted\":\"2\"}"), text);
    assertFalse(text.contains("none"), text);
  }

  @Test
  @DisplayName("every kind of component comes back equal from flat fields")
  void flatRoundTrip() {
    Fields fields = codecs.toFields(EVERYTHING, everything());
    assertEquals("b", fields.require("list.1.name"));
    assertEquals("2", fields.require("map.b.dotted"));
    assertEquals("Square", fields.require("form.is"));
    assertEquals(everything(), codecs.fromFields(EVERYTHING, "/any/x", fields));
  }

  @Test
  @DisplayName("records of volumes come back equal from both forms, empty texts and maps included")
  void objectRecords() {
    KeyType<ObjectRecord> type = ObjectKey.VOLUMES;
    assertEquals(object(), codecs.fromBytes(type, "/k", codecs.toBytes(type, object())));
    assertEquals(object(), codecs.fromFields(type, "/k", codecs.toFields(type, object())));
  }

  @Test
  @DisplayName("a single text and plain fields are values too")
  void singles() {
    KeyType<String> text = type(String.class);
    assertEquals("hey", codecs.fromBytes(text, "/k", codecs.toBytes(text, "hey")));
    assertEquals("hey", codecs.fromFields(text, "/k", codecs.toFields(text, "hey")));
    assertEquals("", codecs.fromFields(text, "/k", codecs.toFields(text, "")));
    KeyType<Fields> fields = type(Fields.class);
    Fields value = Fields.of(Map.of("a.b", "1", "c", "2"));
    assertEquals("{\"a.b\":\"1\",\"c\":\"2\"}", new String(codecs.toBytes(fields, value), UTF_8));
    assertEquals(value, codecs.fromBytes(fields, "/k", codecs.toBytes(fields, value)));
    assertEquals(value, codecs.fromFields(fields, "/k", codecs.toFields(fields, value)));
  }

  @Test
  @DisplayName("a record of a newer version is refused as such, whatever else it holds")
  void newerVersion() {
    byte[] newer = "{\"version\":3,\"shape\":{\"x\":[]}}".getBytes(UTF_8);
    var refused =
        assertThrows(
            DatastoreException.NewerVersion.class,
            () -> codecs.fromBytes(VERSIONED, "/any/x", newer));
    assertTrue(refused.toString().contains("version 3"), refused.toString());
    assertThrows(
        DatastoreException.NewerVersion.class,
        () -> codecs.fromFields(VERSIONED, "/k", Fields.of(Map.of("version", "3", "odd", "1"))));
    byte[] older = "{\"version\":1,\"name\":\"n\"}".getBytes(UTF_8);
    assertEquals(new Versioned(1, "n"), codecs.fromBytes(VERSIONED, "/any/x", older));
  }

  @Test
  @DisplayName("unknown, missing and mistyped components are typed errors that quote nothing")
  void malformed() {
    for (String text :
        List.of(
            "{\"version\":1,\"name\":\"n\",\"hunter2\":1}",
            "{\"version\":1}",
            "{\"version\":1,\"name\":{\"hunter2\":1}}",
            "{\"version\":\"hunter2\",\"name\":\"n\"}",
            "{\"version\":1,\"name\":\"hunter2\"",
            "{\"version\":1,\"name\":\"a\",\"name\":\"hunter2\"}",
            "{\"version\":1,\"name\":hunter2}",
            "{\"version\":99999999999999999999,\"name\":\"hunter2\"}",
            "[]",
            "",
            "\"hunter2\"",
            "{\"version\":1,\"name\":\"n\"} hunter2")) {
      var wrong =
          assertThrows(
              DatastoreException.ParsingEntry.class,
              () -> codecs.fromBytes(VERSIONED, "/any/x", text.getBytes(UTF_8)),
              text);
      assertEquals("/any/x", wrong.identifier());
      assertEquals(text, new String(wrong.rawValue(), UTF_8));
      for (Throwable t = wrong; t != null; t = t.getCause()) {
        boolean name = text.contains("\"hunter2\":1}") && !text.contains(":{");
        assertTrue(name || !t.toString().contains("hunter2"), t.toString());
      }
    }
    assertThrows(
        DatastoreException.ParsingEntry.class,
        () -> codecs.fromFields(VERSIONED, "/k", Fields.of(Map.of("version", "x"))));
    assertThrows(
        DatastoreException.ParsingEntry.class,
        () ->
            codecs.fromFields(
                VERSIONED, "/k", Fields.of(Map.of("version", "1", "name", "n", "odd", "1"))));
  }

  @Test
  @DisplayName("size, depth and length of a text are limited, reading and writing")
  void limits() {
    JacksonCodecs small = new JacksonCodecs(new Limits(200, 4, 20), KeyTypes.NONE);
    KeyType<String> text = type(String.class);
    assertThrows(InvalidInputException.class, () -> small.toBytes(text, "x".repeat(21)));
    assertThrows(
        DatastoreException.ParsingEntry.class,
        () -> small.fromBytes(text, "/k", ("\"" + "x".repeat(190) + "\"").getBytes(UTF_8)));
    assertThrows(
        DatastoreException.ParsingEntry.class,
        () -> small.fromBytes(text, "/k", ("\"" + "x".repeat(210) + "\"").getBytes(UTF_8)));
    assertThrows(
        DatastoreException.ParsingEntry.class,
        () -> codecs.fromBytes(text, "/k", "[".repeat(100_000).getBytes(UTF_8)));
    KeyType<Fields> fields = type(Fields.class);
    Map<String, String> many = new TreeMap<>();
    for (int i = 0; i < 30; i++) {
      many.put("name" + i, "v");
    }
    assertThrows(InvalidInputException.class, () -> small.toBytes(fields, Fields.of(many)));
  }

  @Test
  @DisplayName("what cannot be stored is refused with the type's name")
  void unsupported() {
    KeyType<Bad> type = type(Bad.class);
    var refused =
        assertThrows(InvalidInputException.class, () -> codecs.toBytes(type, new Bad("x")));
    assertTrue(refused.toString().contains("java.lang.Object"), refused.toString());
    assertThrows(
        InvalidInputException.class, () -> codecs.toBytes(type(Thread.class), new Thread()));
    assertThrows(
        InvalidInputException.class,
        () -> codecs.toBytes(type(String.class), "\ud800 is half a character"));
    assertThrows(InvalidInputException.class, () -> codecs.toBytes(type(Double.class), Double.NaN));
  }

  @Test
  @DisplayName("any bytes give a value or a typed error, nothing else")
  void garbage() {
    var random = new java.util.Random(7);
    byte[] good = codecs.toBytes(EVERYTHING, everything());
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = good.clone();
      for (int n = random.nextInt(4); n >= 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        var unused = codecs.fromBytes(EVERYTHING, "/any/x", bytes);
      } catch (DatastoreException expected) {
        assertEquals("/any/x", expected.identifier());
      }
    }
  }
}
