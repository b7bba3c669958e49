package dev.evenkeel.app.workload;

import dev.evenkeel.api.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a workload (docs/demo/README.md has the format) line by line: a line with a fault is given
 * as such, with all its faults, and reading goes on. Used by one thread; blocks on its stream.
 */
public final class WorkloadReader implements AutoCloseable {
  private static final int MOST_FAULTS = 20;

  private final String source;
  private final InputStream in;
  private final RawLines lines;
  private final boolean faultsAllowed;
  private Optional<Expected> expectNext = Optional.empty();
  private long expectNextLine;

  /**
   * Over a stream, which it closes.
   *
   * @param source its name, for error texts
   * @param faultsAllowed whether events may be made to fail on purpose
   */
  public WorkloadReader(String source, InputStream in, boolean faultsAllowed) {
    this.source = source;
    this.in = in;
    this.lines = new RawLines(in);
    this.faultsAllowed = faultsAllowed;
  }

  /** The next line that counts, or null at the end. */
  public @Nullable Entry next() throws IOException {
    RawLines.Raw raw;
    while ((raw = lines.next()) != null) {
      if (raw.fault().isEmpty() && (raw.text().isBlank() || raw.text().startsWith("#"))) {
        continue;
      }
      Optional<Entry> entry = entry(raw);
      if (entry.isPresent()) {
        return entry.get();
      }
    }
    if (expectNext.isPresent()) {
      expectNext = Optional.empty();
      return invalid(
          expectNextLine, Expected.APPLIED, List.of("expect-next: no event follows; remove it"));
    }
    return null;
  }

  /** Everything that is left. */
  public List<Entry> all(int most) throws IOException {
    List<Entry> entries = new ArrayList<>();
    for (Entry entry = next(); entry != null; entry = next()) {
      if (entries.size() == most) {
        throw InvalidInputException.of(
            source, "events", "", "has more than " + most + "; split it, or send it through -");
      }
      entries.add(entry);
    }
    return entries;
  }

  /** An event or a fault; nothing for a line that only speaks of the next one. */
  private Optional<Entry> entry(RawLines.Raw raw) {
    List<String> faults = new ArrayList<>(raw.fault().stream().toList());
    Map<String, JsonLine.Value> fields =
        faults.isEmpty() ? JsonLine.read(raw.text(), faults) : Map.of();
    Binder binder = new Binder(fields, faults);
    if (fields.containsKey("expect-next")) {
      return expectNext(raw.number(), binder, faults);
    }
    Expected expected = expected(binder, "expect").or(() -> expectNext).orElse(Expected.APPLIED);
    expectNext = Optional.empty();
    Optional<Entry> wanted =
        fields.isEmpty() && !faults.isEmpty()
            ? Optional.empty()
            : new EventLine(binder, faultsAllowed).read(raw.number(), expected);
    return faults.isEmpty() ? wanted : Optional.of(invalid(raw.number(), expected, faults));
  }

  private Optional<Entry> expectNext(long line, Binder binder, List<String> faults) {
    if (expectNext.isPresent()) {
      faults.add("expect-next: stands on the line before, too; remove one");
    }
    expectNext = expected(binder, "expect-next");
    expectNextLine = line;
    binder.finish();
    return faults.isEmpty()
        ? Optional.empty()
        : Optional.of(invalid(line, Expected.APPLIED, faults));
  }

  private static Optional<Expected> expected(Binder binder, String field) {
    Optional<String> word = binder.optionalText(field);
    Optional<Expected> expected = word.flatMap(Expected::of);
    if (word.isPresent() && expected.isEmpty()) {
      binder.fault(field, "must be one of " + Expected.words(), '"' + word.get() + '"');
    }
    return expected;
  }

  private Entry invalid(long line, Expected expected, List<String> faults) {
    List<String> shown = new ArrayList<>();
    for (String fault : faults.subList(0, Math.min(faults.size(), MOST_FAULTS))) {
      shown.add(source + ":" + line + ": " + fault);
    }
    if (faults.size() > MOST_FAULTS) {
      shown.add(source + ":" + line + ": and " + (faults.size() - MOST_FAULTS) + " faults more");
    }
    return new Entry.Invalid(line, expected, shown);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
