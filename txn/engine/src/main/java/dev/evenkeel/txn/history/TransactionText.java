package dev.evenkeel.txn.history;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.OperationMark;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.TransactionRecord.RecordedValue;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Transaction records as text for people: one box for what is wanted and planned, one for what was
 * done. Written piece by piece to whatever takes text, up to a limit. Pure but for that; any
 * thread; blocks when its target does, and passes on its {@link IOException}.
 */
@Experimental("new")
public final class TransactionText {
  private final TextOptions options;

  /** A renderer, to be used as often as one likes. */
  public TransactionText(TextOptions options) {
    this.options = options;
  }

  /** What is to be done: kind, description, values, and the plan if there is one. */
  public void before(TransactionRecord record, Appendable out) throws IOException {
    Page page = new Page(out, options);
    page.open("transaction " + record.number() + ": " + kind(record));
    for (String line : Wrap.lines(record.description(), options.width())) {
      page.line(line);
    }
    if (!record.values().isEmpty()) {
      page.line("wanted:");
      for (RecordedValue value : record.values()) {
        if (page.full()) {
          break;
        }
        page.line("  " + wanted(value));
      }
    }
    Optional<List<OperationRecord>> plan = record.planned();
    if (plan.isPresent()) {
      page.line(plan.get().isEmpty() ? "plan: nothing to do" : "plan:");
      operations(page, plan.get());
    }
    shortened(page, record);
    page.close(record.dryRun() ? "dry run" : "to be executed");
  }

  /** What was done: operations, steps, failures, outcome, duration. */
  public void after(TransactionRecord record, Appendable out) throws IOException {
    Page page = new Page(out, options);
    page.open("transaction " + record.number() + (record.dryRun() ? ": planned" : ": executed"));
    if (record.executed().isEmpty()) {
      page.line("nothing had to be done to values");
    }
    operations(page, record.executed());
    for (StepRecord step : record.steps()) {
      page.line("step " + step.name() + ": " + words(step.act().name()) + " by " + step.owner());
      failure(page, "  ", "error", step.failure());
    }
    if (!record.failures().isEmpty()) {
      page.line("failures:");
      for (Failure failure : record.failures()) {
        if (page.full()) {
          break;
        }
        failure(page, "  ", "-", Optional.of(failure));
      }
    }
    shortened(page, record);
    page.close(end(record));
  }

  private static void shortened(Page page, TransactionRecord record) throws IOException {
    if (record.shortened()) {
      page.line("(the history holds only the beginning of these lists)");
    }
  }

  private static String kind(TransactionRecord record) {
    String method =
        record.method() == EventMethod.UPDATE ? "" : ", " + words(record.method().name());
    String retry =
        record
            .retryOf()
            .map(of -> " of " + of.transaction() + ", attempt " + of.attempt())
            .orElse("");
    return record.kind().text() + retry + method;
  }

  private String wanted(RecordedValue value) {
    String by = " (" + value.owner() + (value.origin() == Origin.SOUTH ? ", outside)" : ")");
    return value.key()
        + value.value().map(v -> " = " + options.value(value.key(), v)).orElse(" gone")
        + by;
  }

  private void operations(Page page, List<OperationRecord> operations) throws IOException {
    int number = 0;
    for (OperationRecord operation : operations) {
      if (page.full()) {
        return;
      }
      number++;
      operation(page, number, operation);
    }
  }

  private void operation(Page page, int number, OperationRecord operation) throws IOException {
    StringBuilder head = new StringBuilder();
    head.append(number).append(". ").append(words(operation.operation().name())).append(' ');
    head.append(operation.key());
    for (OperationMark mark : OperationMark.of(operation)) {
      head.append(" [").append(mark.text()).append(']');
    }
    page.line(head.toString());
    String before = words(operation.before().name());
    String after = words(operation.after().name());
    page.line(
        "     state: "
            + (before.equals(after) ? after : before + " " + options.arrow() + " " + after));
    values(page, operation);
    failure(page, "     ", "error before", operation.previousFailure());
    failure(page, "     ", "error", operation.failure());
  }

  private void values(Page page, OperationRecord operation) throws IOException {
    Optional<String> was = operation.previous().map(v -> options.value(operation.key(), v));
    Optional<String> is = operation.current().map(v -> options.value(operation.key(), v));
    if (was.isPresent() && was.equals(is)) {
      page.line("     value: " + is.get());
    } else if (was.isPresent() && is.isPresent()) {
      page.line("     value: " + was.get());
      page.line("       " + options.arrow() + " " + is.get());
    } else if (was.isPresent()) {
      page.line("     value: " + was.get() + " " + options.arrow() + " none");
    } else if (is.isPresent()) {
      page.line("     value: " + is.get());
    }
  }

  private void failure(Page page, String indent, String name, Optional<Failure> failure)
      throws IOException {
    if (failure.isEmpty()) {
      return;
    }
    Failure what = failure.get();
    String about =
        what.key().map(k -> " " + k).orElse("")
            + what.base()
                .filter(b -> !what.key().equals(Optional.of(b)))
                .map(b -> " of " + b)
                .orElse("");
    page.line(
        indent
            + name
            + " "
            + what.operation()
            + about
            + " by "
            + what.owner()
            + ": "
            + what.kind()
            + ", "
            + options.cut(what.message()));
    for (String suppressed : what.suppressed()) {
      page.line(indent + "  besides: " + options.cut(suppressed));
    }
  }

  private static String end(TransactionRecord record) {
    if (record.outcome().isEmpty()) {
      return "still running";
    }
    String took =
        record
            .stop()
            .map(stop -> ", took " + millis(Duration.between(record.start(), stop)))
            .orElse("");
    return words(record.outcome().get().name()) + took;
  }

  private static String millis(Duration duration) {
    long micros = duration.toNanos() / 1_000;
    return String.format(Locale.ROOT, "%d.%03d ms", micros / 1_000, Math.floorMod(micros, 1_000));
  }

  private static String words(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
