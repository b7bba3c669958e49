package dev.evenkeel.app.show;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.StepRecord.Act;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

class TextReportTest {
  private static final Report.Verdict GOOD = new Report.Verdict(2, 1, List.of(), false);

  @Test
  @DisplayName("a reverted event is shown with its handlers, its steps in order, and its error")
  void revertedEvent() {
    String shown = shown(StandardCharsets.UTF_8, Ansi.OFF, false, reverted("reverted"), GOOD);

    assertEquals(
        """
        evenkeel demo · 1 event from w.jsonl · state in /s

        ┌ [1/1] create-volume · volume doomed
        │ on purpose
        ├ event #7 · handlers image → fault
        │ changes  image          makes an image
        │ done     image          create:x 1.5 ms
        │ failed   fault          break 0.0 ms
        │ undone   image          create:x 2.0 ms
        │ error    fault apply break: INTERNAL boom
        └ reverted, as expected     12.3 ms

        #  line  event          subject        expected  ended            time
        ──────────────────────────────────────────────────────────────────────
        1  4     create-volume  volume/doomed  reverted  reverted      12.3 ms

        1 event, all as expected; the disk holds what the history says: 2 volumes, 1 snapshot
        """,
        shown);
  }

  @Test
  @DisplayName("a character set without line drawing gets ASCII, and never a character it has not")
  void plainAscii() {
    String shown = shown(StandardCharsets.US_ASCII, Ansi.OFF, false, reverted("reverted"), GOOD);

    assertTrue(StandardCharsets.US_ASCII.newEncoder().canEncode(shown), shown);
    assertTrue(shown.contains("+- [1/1] create-volume, volume doomed\n"), shown);
    assertTrue(shown.contains("image -> fault"), shown);
  }

  @Test
  @DisplayName("colours only where they are wanted")
  void colours() {
    String plain = shown(StandardCharsets.UTF_8, Ansi.OFF, false, reverted("applied"), GOOD);
    String coloured = shown(StandardCharsets.UTF_8, Ansi.ON, false, reverted("applied"), GOOD);

    assertFalse(plain.contains("\u001b"), plain);
    assertTrue(coloured.contains("\u001b[31m"), coloured);
  }

  @Test
  @DisplayName("quiet shows what ended otherwise, and the last line")
  void quiet() {
    String good = shown(StandardCharsets.UTF_8, Ansi.OFF, true, reverted("reverted"), GOOD);
    String bad = shown(StandardCharsets.UTF_8, Ansi.OFF, true, reverted("applied"), GOOD);

    assertEquals(1, good.lines().count(), good);
    assertTrue(bad.contains("reverted, where applied was expected"), bad);
    assertTrue(bad.contains("1 event, 1 NOT as expected"), bad);
  }

  @Test
  @DisplayName("differences of the disk are told, and a run that was called off")
  void differences() {
    Report.Verdict verdict = new Report.Verdict(0, 0, List.of("image x has no record"), true);
    String shown = shown(StandardCharsets.UTF_8, Ansi.OFF, false, reverted("reverted"), verdict);

    assertTrue(shown.contains("different: image x has no record\n"), shown);
    assertTrue(shown.contains("The run was called off; run the same again to go on.\n"), shown);
    assertTrue(shown.contains("the disk DIFFERS from what the history says"), shown);
  }

  @Test
  @DisplayName("text from outside cannot steer the terminal")
  void harmlessText() {
    Style style = Style.of(StandardCharsets.UTF_8, Ansi.ON);

    assertEquals("a?[31mb?c?d?eü", style.harmless("a\u001b[31mb\nc\u202ed\u2028e\u00fc"));
    assertEquals("??", style.harmless("\ud800\u009b"));
  }

  private static String shown(
      Charset charset, Ansi ansi, boolean quiet, Ended ended, Report.Verdict verdict) {
    StringWriter out = new StringWriter();
    Report report = new TextReport(new PrintWriter(out), Style.of(charset, ansi), quiet);
    report.begin("demo", "w.jsonl", "/s", OptionalLong.of(1));
    report.opening(1, "create-volume", "volume doomed", "on purpose");
    report.closing(ended);
    long unexpected = ended.asExpected() ? 0 : 1;
    report.summary(new Report.Totals(1, unexpected, List.of(ended.row())), verdict);
    return out.toString();
  }

  private static Ended reverted(String expected) {
    Failure failure = Failure.of("fault", "apply break", ErrorKind.INTERNAL, "boom");
    List<StepRecord> steps =
        List.of(
            step("create:x", "image", Act.DONE, Duration.ofNanos(1_500_000)),
            step("break", "fault", Act.FAILED, Duration.ZERO),
            step("create:x", "image", Act.UNDONE, Duration.ofMillis(2)));
    EventRecord record =
        new EventRecord(
            7,
            new EventId(3),
            Optional.empty(),
            "create-volume",
            "volume doomed",
            EventMethod.UPDATE,
            Instant.EPOCH,
            Instant.EPOCH,
            Optional.of(Instant.EPOCH.plusMillis(12)),
            List.of("image", "fault"),
            List.of(
                new HandlerRecord(
                    "image", false, "makes an image", Optional.empty(), Duration.ZERO),
                new HandlerRecord("fault", false, "", Optional.empty(), Duration.ZERO)),
            Optional.of(
                new TransactionResult(
                    5, TransactionOutcome.REVERTED, List.of(), steps, List.of(failure))),
            Optional.of("reverted"),
            List.of(failure));
    return new Ended(
        1,
        4,
        "create-volume",
        "volume/doomed",
        expected,
        "reverted",
        Duration.ofNanos(12_300_000),
        Optional.of(record),
        List.of(failure.toString()));
  }

  private static StepRecord step(String name, String owner, Act act, Duration duration) {
    return new StepRecord(name, owner, act, Optional.empty(), duration);
  }
}
