package dev.evenkeel.app.show;

import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.app.show.Style.Tone;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;

/** The report for people: a box for each event, a table at the end; or, quiet, what went wrong. */
public final class TextReport implements Report {
  private final PrintWriter out;
  private final Style style;
  private final boolean quiet;
  private OptionalLong total = OptionalLong.empty();

  /** A report on that output; a quiet one shows unexpected ends and the last line only. */
  public TextReport(PrintWriter out, Style style, boolean quiet) {
    this.out = out;
    this.style = style;
    this.quiet = quiet;
  }

  @Override
  public void begin(String command, String source, String stateDir, OptionalLong newTotal) {
    total = newTotal;
    if (!quiet) {
      String count =
          total.isPresent() ? count(total.getAsLong(), "event") + " from " : "events from ";
      line(
          style.tone(Tone.TITLE, "evenkeel " + command)
              + style.dot()
              + count
              + style.harmless(source)
              + style.dot()
              + "state in "
              + style.harmless(stateDir));
      line("");
    }
  }

  @Override
  public void opening(long number, String event, String description, String note) {
    if (quiet) {
      return;
    }
    open(position(number), event, description);
    if (!note.isEmpty()) {
      side(style.tone(Tone.QUIET, style.harmless(note)));
    }
    out.flush();
  }

  @Override
  public void waiting(long seconds) {
    if (!quiet) {
      side(style.tone(Tone.QUIET, "still running after " + seconds + " s"));
      out.flush();
    }
  }

  @Override
  public void closing(Ended ended) {
    if (quiet && ended.asExpected()) {
      return;
    }
    if (quiet || ended.record().isEmpty()) {
      open(position(ended.number()), ended.event(), ended.subject());
    }
    ended.record().ifPresent(this::body);
    ended.errors().forEach(this::error);
    String verdict =
        ended.asExpected()
            ? style.tone(Tone.GOOD, ended.ended() + ", as expected")
            : style.tone(Tone.BAD, ended.ended() + ", where " + ended.expected() + " was expected");
    shut(verdict, ended.duration());
  }

  @Override
  public void aside(EventRecord record) {
    if (quiet && record.failures().isEmpty()) {
      return;
    }
    open("", record.type(), record.description());
    body(record);
    record.failures().forEach(f -> error(f.toString()));
    shut(record.outcome().orElse("running"), duration(record));
  }

  @Override
  public void summary(Totals totals, Verdict verdict) {
    long unexpected = totals.unexpected();
    if (!quiet && totals.events() > 0) {
      new Table(style, out).print(totals);
    }
    verdict
        .differences()
        .forEach(d -> line(style.tone(Tone.BAD, "different: ") + style.harmless(d)));
    if (verdict.calledOff()) {
      line(style.tone(Tone.BAD, "The run was called off; run the same again to go on."));
    }
    boolean good = unexpected == 0 && verdict.differences().isEmpty() && !verdict.calledOff();
    line(
        style.tone(
            good ? Tone.GOOD : Tone.BAD,
            count(totals.events(), "event")
                + ", "
                + (unexpected == 0 ? "all as expected" : unexpected + " NOT as expected")
                + "; "
                + (verdict.differences().isEmpty()
                    ? "the disk holds what the history says: "
                    : "the disk DIFFERS from what the history says: ")
                + count(verdict.volumes(), "volume")
                + ", "
                + count(verdict.snapshots(), "snapshot")));
    out.flush();
  }

  private void body(EventRecord record) {
    if (quiet) {
      return;
    }
    line(
        style.middle()
            + "event #"
            + record.sequence()
            + style.dot()
            + "handlers "
            + (record.chain().isEmpty() ? "none" : String.join(style.arrow(), record.chain())));
    for (HandlerRecord handler : record.handlers()) {
      if (!handler.change().isEmpty()) {
        side(label(handler.revert() ? "reverts" : "changes", handler.handler(), handler.change()));
      }
    }
    record.transaction().ifPresent(this::transaction);
  }

  private void transaction(TransactionResult result) {
    for (OperationRecord operation : result.operations()) {
      String states = words(operation.before()) + style.arrow() + words(operation.after());
      side(label(words(operation.operation()), operation.key(), states));
    }
    for (StepRecord step : result.steps()) {
      Tone tone =
          switch (step.act()) {
            case ADOPTED, DONE -> Tone.GOOD;
            case UNDONE -> Tone.UNDONE;
            case FAILED, UNDO_FAILED, UNFINISHED -> Tone.BAD;
          };
      String act = String.format(Locale.ROOT, "%-9s", words(step.act()));
      String what =
          String.format(
              Locale.ROOT, "%-14s %s", style.harmless(step.owner()), style.harmless(step.name()));
      side(style.tone(tone, act) + what + " " + Durations.text(step.duration()).strip());
    }
  }

  private String label(String act, String who, String what) {
    return String.format(
        Locale.ROOT, "%-9s%-14s %s", act, style.harmless(who), style.harmless(what));
  }

  private void open(String position, String event, String description) {
    line(
        style.open()
            + position
            + style.tone(Tone.TITLE, event)
            + style.dot()
            + style.harmless(description));
  }

  private void error(String text) {
    side(style.tone(Tone.BAD, "error    ") + style.harmless(text));
  }

  private void shut(String verdict, Duration duration) {
    line(style.shut() + verdict + " " + Durations.text(duration));
    line("");
    out.flush();
  }

  private String position(long number) {
    return "[" + number + (total.isPresent() ? "/" + total.getAsLong() : "") + "] ";
  }

  private void side(String text) {
    line(style.side() + text);
  }

  private void line(String text) {
    out.print(text);
    out.print('\n');
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static String words(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static Duration duration(EventRecord record) {
    return record.end().map(end -> Duration.between(record.start(), end)).orElse(Duration.ZERO);
  }
}
