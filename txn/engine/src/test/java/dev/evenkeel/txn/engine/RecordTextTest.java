package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.history.GraphDot;
import dev.evenkeel.txn.history.TextOptions;
import dev.evenkeel.txn.history.TransactionText;
import dev.evenkeel.txn.history.ValuePrinter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecordTextTest {
  private final Engine engine =
      new Engine(
          outside ->
              List.of(
                  new MockDescriptor("a", outside).needs("a/2", "a/1"),
                  new MockDescriptor("b", outside)));

  private TransactionRecord last() {
    return engine.core.history().orElseThrow().last(1).get(0);
  }

  private String after(TextOptions options) throws IOException {
    StringBuilder out = new StringBuilder();
    new TransactionText(options).after(last(), out);
    return out.toString();
  }

  private String before(TextOptions options, TransactionRecord record) throws IOException {
    StringBuilder out = new StringBuilder();
    new TransactionText(options).before(record, out);
    return out.toString();
  }

  @Test
  @DisplayName("Parity 60: the box before tells kind, description, values and plan")
  void boxBefore() throws IOException {
    engine.update(put("b/1", "i"), delete("b/2"));
    TransactionRecord record = last();

    String text = before(TextOptions.standard(), planned(record));

    assertEquals(
        """
        ╭─ transaction 0: transaction
        │ test
        │ wanted:
        │   /b/1 = L[i] (h)
        │   /b/2 gone (h)
        │ plan:
        │ 1. create /b/1
        │      state: nonexistent → configured
        │      value: L[i]
        │ 2. create /b/1/i [DERIVED]
        │      state: nonexistent → configured
        │      value: S[text=i]
        ╰─ to be executed
        """,
        text);
  }

  /** The same with what was executed as its plan. */
  private static TransactionRecord planned(TransactionRecord r) {
    return new TransactionRecord(
        r.number(),
        r.kind(),
        r.method(),
        r.description(),
        r.retryOf(),
        r.values(),
        Optional.of(r.executed()),
        List.<OperationRecord>of(),
        r.steps(),
        r.start(),
        Optional.empty(),
        r.dryRun(),
        Optional.empty(),
        r.failures(),
        r.shortened());
  }

  @Test
  @DisplayName("Parity 61: the box after tells operations, errors, outcome and duration")
  void boxAfter() throws IOException {
    Exception thrown = new IllegalStateException("E");
    thrown.addSuppressed(new IllegalStateException("also"));
    engine.outside.fail("create b/1/i", thrown, () -> {});
    engine.update(put("b/1", "i"));

    assertEquals(
        """
        ╭─ transaction 0: executed
        │ 1. create /b/1
        │      state: nonexistent → configured
        │      value: L[i]
        │ 2. create /b/1/i [DERIVED] [FAILED]
        │      state: nonexistent → failed
        │      value: S[text=i]
        │      error create /b/1/i of /b/1 by h: INTERNAL, IllegalStateException: E
        │        besides: IllegalStateException: also
        │ failures:
        │   - create /b/1/i of /b/1 by h: INTERNAL, IllegalStateException: E
        │     besides: IllegalStateException: also
        ╰─ applied with failures, took 5.000 ms
        """,
        after(TextOptions.standard()));
  }

  @Test
  @DisplayName("In ASCII nothing else is printed")
  void ascii() throws IOException {
    engine.update(put("a/2"));

    assertTrue(after(TextOptions.standard().inAscii()).chars().allMatch(c -> c < 128));
  }

  @Test
  @DisplayName("TW-14 A record that is too long is cut where the limit is, and says so")
  void limit() throws IOException {
    TxnEntry[] many = new TxnEntry[500];
    for (int i = 0; i < many.length; i++) {
      many[i] = put("b/" + i);
    }
    engine.update(many);

    String text = after(TextOptions.standard().limited(2_000));

    assertTrue(text.length() < 2_200, "length " + text.length());
    assertTrue(text.contains("the rest is left out"));
    assertTrue(text.endsWith("╰─ applied, took 5.000 ms\n"));
  }

  @Test
  @DisplayName(
      "A secret in a value is shown as its mask; a printer can hide more; one that throws is noted")
  void secrets() throws IOException {
    record Login(Secret password) {}
    ValuePrinter holder = (key, value) -> new Login(Secret.of("hunter2")).toString();
    engine.update(put("b/1", "i"));

    String shown = after(TextOptions.standard().printing(holder));
    assertFalse(shown.contains("hunter2"));
    assertTrue(shown.contains(Secret.MASK));
    String failing =
        after(
            TextOptions.standard()
                .printing(
                    (key, value) -> {
                      throw new IllegalStateException("hunter2");
                    }));
    assertFalse(failing.contains("hunter2"));
    assertTrue(failing.contains("cannot be shown"));
  }

  @Test
  @DisplayName("A value's line ends and controls do not break the box")
  void controls() throws IOException {
    engine.update(put("b/1", "i\nforged\u001b[0m"));

    String text = after(TextOptions.standard());
    assertTrue(text.lines().allMatch(line -> "╭│╰".indexOf(line.charAt(0)) >= 0), text);
    assertFalse(text.contains("\u001b"));
  }

  // ---- graphs ----------------------------------------------------------------------------------

  private String dot(int most) throws IOException {
    StringBuilder out = new StringBuilder();
    long number = last().number();
    new GraphDot(most)
        .write(engine.core.history().orElseThrow().graphAfter(number).orElseThrow(), "", out);
    return out.toString();
  }

  @Test
  @DisplayName(
      "A graph has a cluster per descriptor, solid, dashed and dotted edges, and states as colours")
  void graph() throws IOException {
    engine.update(put("a/2", "i"), put("b/1", "j"));
    String pending = dot(100);
    assertTrue(pending.contains("\"/a/2\" -> \"/a/1\" [style=dashed, color=red, label=\"a/1\"]"));
    assertTrue(pending.contains("\"/a/1\" [style=\"rounded,dashed\""), pending);
    assertTrue(pending.contains("\"/a/2\" [fillcolor=lightyellow"));

    engine.update(put("a/1"));
    String all = dot(100);
    assertTrue(all.contains("\"/a/2\" -> \"/a/1\" [style=solid, label=\"a/1\"]"));
    assertTrue(all.contains("\"/b/1\" -> \"/b/1/j\" [style=dotted"));
    assertTrue(all.indexOf("label=\"DA\"") < all.indexOf("label=\"DB\""));
    assertEquals(all, dot(100));
    DotText.check(all);
  }

  @Test
  @DisplayName("Quotes and backslashes in a path cannot break out of a graph")
  void escaped() throws IOException {
    engine.update(put("b/x\"]; evil [\"", "back\\slash"));

    String text = dot(100);
    DotText.check(text);
    assertTrue(text.contains("\"/b/x\\\"]; evil [\\\"\""), text);
  }

  @Test
  @DisplayName("A graph draws so many values and says how many are left out")
  void most() throws IOException {
    engine.update(put("b/1"), put("b/2"), put("b/3"));

    String text = dot(2);
    assertTrue(text.contains("1 more values are left out"));
    assertFalse(text.contains("/b/3"));
  }

  /** Reads the part of the language that is written, and no other. */
  private static final class DotText {
    private static final String ID = "(?:\"(?:[^\"\\\\\\n]|\\\\.)*\"|[a-zA-Z]+[a-z0-9_]*|[0-9]+)";
    private static final String ATTRIBUTE = ID + "=" + ID;
    private static final String LIST = "(?: \\[" + ATTRIBUTE + "(?:, " + ATTRIBUTE + ")*\\])";
    private static final Pattern LINE =
        Pattern.compile(
            " *(?:digraph [a-z]+ \\{|subgraph cluster_\\d+ \\{|\\}"
                + "|"
                + ATTRIBUTE
                + ";|"
                + ID
                + LIST
                + ";|"
                + ID
                + " -> "
                + ID
                + LIST
                + "?;)");

    static void check(String text) {
      int depth = 0;
      TreeSet<String> wrong = new TreeSet<>();
      for (String line : text.lines().toList()) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
          wrong.add(line);
        }
        depth += line.endsWith("{") ? 1 : line.endsWith("}") ? -1 : 0;
      }
      assertEquals(new TreeSet<String>(), wrong);
      assertEquals(0, depth);
    }
  }

  @Test
  @DisplayName("The printer is told the key of each value")
  void printerKnowsKey() throws IOException {
    engine.update(put("b/1"), put("b/2"));
    Key<Val> hidden = Val.key("b/2");

    String text =
        after(
            TextOptions.standard()
                .printing((key, value) -> key.equals(hidden.path()) ? "***" : "open"));

    assertTrue(text.contains("***") && text.contains("open"));
  }
}
