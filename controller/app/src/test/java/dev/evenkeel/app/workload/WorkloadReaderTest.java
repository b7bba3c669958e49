package dev.evenkeel.app.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.VolumeSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadReaderTest {

  @Test
  @DisplayName("every kind of event is read")
  void everyKindOfEvent() throws IOException {
    List<Entry> entries =
        read(
            """
            {"event":"create-volume","name":"a","size":"64KiB","limit":131072,"parameters":{"k":"v"}}
            {"event":"create-volume","name":"b","from-volume":"a"}
            {"event":"create-volume","name":"c","from-snapshot":"s","size":1}
            {"event":"expand-volume","name":"a","size":"1MiB"}
            {"event":"create-snapshot","name":"s","volume":"a"}
            {"event":"delete-volume","name":"a","expect":"refused","note":"why"}
            {"event":"delete-snapshot","name":"s"}
            """);

    CreateVolume a = event(entries, 0, CreateVolume.class);
    assertEquals(65_536, a.size().required());
    assertEquals(131_072, a.size().limit());
    assertEquals(Map.of("k", "v"), a.parameters());
    assertEquals(
        new VolumeSource(VolumeSource.Kind.VOLUME, ObjectRef.named("a")),
        event(entries, 1, CreateVolume.class).source().orElseThrow());
    assertEquals(
        new VolumeSource(VolumeSource.Kind.SNAPSHOT, ObjectRef.named("s")),
        event(entries, 2, CreateVolume.class).source().orElseThrow());
    assertEquals(1 << 20, event(entries, 3, ExpandVolume.class).size().required());
    assertEquals(ObjectRef.named("a"), event(entries, 4, CreateSnapshot.class).source());
    assertEquals(ObjectRef.named("a"), event(entries, 5, DeleteVolume.class).volume());
    assertEquals(Expected.REFUSED, entries.get(5).expected());
    assertEquals("why", ((Entry.Wanted) entries.get(5)).note());
    assertEquals(ObjectRef.named("s"), event(entries, 6, DeleteSnapshot.class).snapshot());
    assertEquals(Expected.APPLIED, entries.get(6).expected());
  }

  @Test
  @DisplayName("blank lines and comments are skipped, and count as lines")
  void blankLinesAndComments() throws IOException {
    List<Entry> entries =
        read("# a comment\n\n   \r\n{\"event\":\"delete-volume\",\"name\":\"a\"}");

    assertEquals(1, entries.size());
    assertEquals(4, entries.get(0).line());
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("a bad line is told with file, line, what and what to do")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"event\":                                               | w:1: is not JSON at column",
        "[1]                                                       | is not a JSON object; each line",
        "{\"event\":\"fly\"}                                       | event: must be one of create-volume,",
        "{\"name\":\"a\"}                                          | event: is missing; add one of",
        "{\"event\":\"create-volume\",\"name\":\"a\"}              | size: is missing; write bytes",
        "{\"event\":\"create-volume\",\"size\":1}                  | name: is missing; add a name",
        "{\"event\":\"create-volume\",\"name\":\"a\",\"size\":-5}  | size: must not be negative; write",
        "{\"event\":\"create-volume\",\"name\":\"a\",\"size\":\"-5KiB\"} | size: must not be negative",
        "{\"event\":\"create-volume\",\"name\":\"a\",\"size\":1.5} | size: is no size; write bytes",
        "{\"event\":\"create-volume\",\"name\":\"a\",\"size\":\"9999999999PiB\"} | size: is no size",
        "{\"event\":\"create-volume\",\"name\":\"a\",\"size\":9223372036854775808} | size: is more than",
        "{\"event\":\"create-volume\",\"name\":\"a\",\"size\":5,\"limit\":3} | bytes: must not require more",
        "{\"event\":\"delete-volume\",\"name\":\"../x\"}           | name: must not contain a path separator",
        "{\"event\":\"delete-volume\",\"name\":\"..\"}             | name: must not be a relative path",
        "{\"event\":\"delete-volume\",\"name\":\"\"}               | name: must not be empty",
        "{\"event\":\"delete-volume\",\"name\":\"a\\u001bb\"}      | name: must not contain control",
        "{\"event\":\"delete-volume\",\"name\":7}                  | name: must be a text in double quotes",
        "{\"event\":\"delete-volume\",\"name\":null}               | name: must be a text in double quotes",
        "{\"event\":\"delete-volume\",\"name\":[[]]}               | name: must be a text",
        "{\"event\":\"delete-volume\",\"name\":\"a\",\"name\":\"b\"} | name: is given more than once",
        "{\"event\":\"delete-volume\",\"name\":\"a\",\"size\":1}   | size: is not a field of this event",
        "{\"event\":\"delete-volume\",\"name\":\"a\"} {}           | goes on behind its JSON object",
        "{\"event\":\"delete-volume\",\"name\":\"a\",\"expect\":\"joy\"} | expect: must be one of applied,",
        "{\"event\":\"create-volume\",\"name\":\"a\",\"size\":1,\"parameters\":{\"k\":1}} | parameters: must be an object of texts",
        "{\"event\":\"create-volume\",\"name\":\"a\",\"from-volume\":\"b\",\"from-snapshot\":\"c\"} | keep one of them",
        "{\"event\":\"create-volume\",\"name\":\"a\",\"size\":1,\"fault\":\"last-step\"} | fault: is taken with --demo-faults only",
        "{\"expect-next\":\"invalid\"}                             | expect-next: no event follows",
      })
  void badLine(String line, String told) throws IOException {
    Entry.Invalid invalid = invalid(read(line), 0);

    assertEquals(1, invalid.faults().size(), invalid.faults()::toString);
    assertTrue(invalid.faults().get(0).startsWith("w:1: "), invalid.faults()::toString);
    assertTrue(invalid.faults().get(0).contains(told), invalid.faults()::toString);
    assertEquals(Expected.APPLIED, invalid.expected());
  }

  @Test
  @DisplayName("a name of 10,000 characters is refused, and not repeated in full")
  void longName() throws IOException {
    String name = "x".repeat(10_000);
    Entry.Invalid invalid =
        invalid(read("{\"event\":\"delete-volume\",\"name\":\"" + name + "\"}"), 0);

    assertTrue(invalid.faults().get(0).contains("at most 128 characters, has 10000"));
    assertTrue(invalid.faults().get(0).length() < 250);
  }

  @Test
  @DisplayName("all faults of a line are told at once")
  void allFaultsAtOnce() throws IOException {
    Entry.Invalid invalid =
        invalid(
            read("{\"event\":\"create-volume\",\"name\":\"../x\",\"size\":-1,\"colour\":\"red\"}"),
            0);

    assertEquals(3, invalid.faults().size(), invalid.faults()::toString);
  }

  @Test
  @DisplayName("a line that is too long, or not UTF-8, or begins with a BOM, costs itself alone")
  void badBytes() throws IOException {
    byte[] good = bytes("{\"event\":\"delete-volume\",\"name\":\"a\"}\n");
    byte[] tooLong = bytes("{\"note\":\"" + "y".repeat(RawLines.LONGEST) + "\"}\n");
    byte[] latin = {'{', '"', (byte) 0xe9, '"', '}', '\n'};
    byte[] bom = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf, '{', '}', '\n'};

    List<Entry> entries = read(joined(bom, good, tooLong, good, latin, good));

    assertTrue(
        invalid(entries, 0).faults().get(0).startsWith("w:1: begins with a byte order mark"));
    assertTrue(invalid(entries, 2).faults().get(0).startsWith("w:3: is 65547 bytes long"));
    assertTrue(invalid(entries, 4).faults().get(0).startsWith("w:5: is not UTF-8 at byte 3"));
    for (int i : new int[] {1, 3, 5}) {
      assertInstanceOf(Entry.Wanted.class, entries.get(i));
    }
  }

  @Test
  @DisplayName("a line may say that the next one is expected to be invalid")
  void expectNext() throws IOException {
    List<Entry> entries =
        read(
            """
            {"expect-next":"invalid"}
            this is no JSON
            nor is this
            {"event":"delete-volume","name":"/","expect":"invalid"}
            """);

    assertEquals(Expected.INVALID, invalid(entries, 0).expected());
    assertEquals(Expected.APPLIED, invalid(entries, 1).expected());
    assertEquals(Expected.INVALID, invalid(entries, 2).expected());
  }

  @Test
  @DisplayName("a fault on purpose is read where it is allowed")
  void faultOnPurpose() throws IOException {
    String line = "{\"event\":\"create-volume\",\"name\":\"a\",\"size\":1,\"fault\":\"last-step\"}";
    try (WorkloadReader reader =
        new WorkloadReader("w", new ByteArrayInputStream(bytes(line)), true)) {
      Entry.Wanted wanted = assertInstanceOf(Entry.Wanted.class, reader.next());
      assertEquals(Entry.Fault.LAST_STEP, wanted.fault().orElseThrow());
    }
  }

  @Test
  @DisplayName("more lines than the limit are refused")
  void tooManyLines() throws IOException {
    try (WorkloadReader reader =
        new WorkloadReader("w", new ByteArrayInputStream(bytes("{}\n{}\n{}\n")), false)) {
      InvalidInputException refused =
          assertThrows(InvalidInputException.class, () -> reader.all(2));
      assertTrue(String.valueOf(refused.getMessage()).contains("has more than 2"));
    }
  }

  private static List<Entry> read(String text) throws IOException {
    return read(bytes(text));
  }

  private static List<Entry> read(byte[] bytes) throws IOException {
    try (WorkloadReader reader = new WorkloadReader("w", new ByteArrayInputStream(bytes), false)) {
      return reader.all(100);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] joined(byte[]... parts) {
    java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static <E extends Request<?>> E event(List<Entry> entries, int index, Class<E> type) {
    return type.cast(assertInstanceOf(Entry.Wanted.class, entries.get(index)).request());
  }

  private static Entry.Invalid invalid(List<Entry> entries, int index) {
    return assertInstanceOf(Entry.Invalid.class, entries.get(index));
  }
}
