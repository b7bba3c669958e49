package dev.evenkeel.codec.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.codec.jackson.Document.Format;
import dev.evenkeel.codec.jackson.Document.Place;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Documents that people write")
final class DocumentReaderTest {
  private static final DocumentReader READER = new DocumentReader(new Limits(10_000, 4, 1_000));

  private static Document read(String text, Format format) {
    return READER.read("f", text.getBytes(StandardCharsets.UTF_8), format);
  }

  private static String fault(String text, Format format) {
    return assertThrows(InvalidInputException.class, () -> read(text, format)).getMessage();
  }

  @Test
  @DisplayName("JSON and YAML come to the same tree, with the places of the outermost names")
  void same() {
    Document json =
        read("{\"a\": 1, \"b\": [true, null, 1.5], \"c\": {\"d\": \"5 s\"}}", Format.JSON);
    Document yaml =
        read("# a comment\na: 1\nb:\n  - true\n  - null\n  - 1.5\nc: {d: 5 s}\n", Format.YAML);
    assertEquals(json.tree(), yaml.tree());
    assertEquals(
        Map.of("a", 1L, "b", List.of(true, Json.NULL, 1.5), "c", Map.of("d", "5 s")), yaml.tree());
    assertEquals(new Place(3, 1), yaml.places().get("b"));
    assertEquals(List.of("a", "b", "c"), List.copyOf(json.places().keySet()));
  }

  @Test
  @DisplayName("every name that stands twice is named with its place, all at once")
  void duplicates() {
    String message = fault("{\"a\": 1,\n \"a\": 2, \"b\": {\"c\": 1,\n\"c\": 2}}", Format.JSON);
    assertTrue(message.contains("line 2, column 2: has the name a a second time"), message);
    assertTrue(message.contains("line 3, column 1: has the name c a second time"), message);
    assertTrue(
        fault("a: 1\nb: 2\na: 3\n", Format.YAML).contains("line 3, column 1: has the name a"));
  }

  @ParameterizedTest(name = "[{index}]")
  @ValueSource(
      strings = {
        "",
        "a: [1, 2",
        "a: b: c",
        "\t- x",
        "a: &x 1\nb: *x",
        "a: !!java.lang.String x",
        "a: 1\n---\nb: 2",
        "a: [[[[[1]]]]]",
        "a: .nan",
        "a: 99999999999999999999999",
        "a: \u0007"
      })
  @DisplayName("YAML that is wrong, or that means more than it shows, is refused with its place")
  void badYaml(String text) {
    String message = fault(text, Format.YAML);
    assertTrue(message.startsWith("f is invalid: line "), message);
    assertFalse(message.contains("java.lang"), message);
  }

  @ParameterizedTest(name = "[{index}]")
  @ValueSource(strings = {"", "{", "{\"a\": 1,}", "{} {}", "{\"a\": [[[[[1]]]]]}", "{a: 1}", "nul"})
  @DisplayName("JSON that is wrong is refused with its place")
  void badJson(String text) {
    assertTrue(fault(text, Format.JSON).startsWith("f is invalid: line "));
  }

  @Test
  @DisplayName("what is wrong is never quoted, and too much is refused")
  void limits() {
    assertFalse(fault("{\"password\": hunter2}", Format.JSON).contains("hunter2"));
    assertFalse(fault("password: [hunter2", Format.YAML).contains("hunter2"));
    assertTrue(fault("\"" + "x".repeat(10_000) + "\"", Format.JSON).contains("10002 bytes"));
    assertTrue(fault("a: " + "x".repeat(1_001), Format.YAML).contains("line 1"));
    assertTrue(
        assertThrows(InvalidInputException.class, () -> read("[1]", Format.JSON).object("f"))
            .getMessage()
            .contains("must be an object"));
  }

  @Test
  @DisplayName("the end of a file's name tells the format")
  void format() {
    assertEquals(Optional.of(Format.JSON), Format.of("a.JSON"));
    assertEquals(Optional.of(Format.YAML), Format.of("a.yml"));
    assertEquals(Optional.of(Format.YAML), Format.of("a.yaml"));
    assertEquals(Optional.empty(), Format.of("a.yaml~"));
  }
}
