package dev.evenkeel.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init") // set before all
  private static Cli.Result first;

  @BeforeAll
  static void runOnce() {
    first = demo("a");
  }

  @Test
  @DisplayName("two runs of the demo are byte-equal, but for ids and times")
  void twoRunsAreEqual() throws IOException {
    Cli.Result second = demo("b");

    assertEquals(0, first.status(), first::all);
    assertEquals("", first.err());
    assertEquals(normalised(first.out()), normalised(second.out()));
  }

  @Test
  @DisplayName("the demo run twice on one directory ends the same way, as far as it is asked")
  void secondRunOnTheSameDirectory() throws IOException {
    Cli.Result second = demo("a");

    assertEquals(0, second.status(), second::all);
    assertEquals(lastLine(first), lastLine(second));
  }

  @Test
  @DisplayName("the failing create is shown with its steps undone in reverse order")
  void failingCreate() throws IOException {
    List<String> box = box(first.out(), "volume doomed");

    List<String> done = steps(box, "done");
    List<String> undone = steps(box, "undone");
    assertTrue(done.size() >= 2, box::toString);
    assertEquals(reversed(done), undone, box::toString);
    assertEquals(1, steps(box, "failed").size(), box::toString);
    assertTrue(box.get(box.size() - 1).contains("reverted, as expected"), box::toString);
  }

  @Test
  @DisplayName("every line of the workload is in the table, and the disk holds what history says")
  void tableAndCheck() throws IOException {
    assertTrue(
        lastLine(first)
            .equals(
                "14 events, all as expected; the disk holds what the history says: 4 volumes, 1"
                    + " snapshot"),
        first::all);
    assertFalse(first.out().contains("different:"), first::all);
  }

  private static Cli.Result demo(String name) {
    return Cli.run("demo", "--state-dir", folder.resolve(name).toString());
  }

  private static String lastLine(Cli.Result result) {
    List<String> lines = result.out().lines().toList();
    return lines.get(lines.size() - 1);
  }

  private static String normalised(String output) {
    Map<String, String> ids = new HashMap<>();
    String named =
        UUID.matcher(output)
            .replaceAll(id -> ids.computeIfAbsent(id.group(), k -> "<id-" + ids.size() + ">"));
    return named
        .replaceAll(Pattern.quote(folder.toString()) + "/.", "<state>")
        .replaceAll(" *[0-9]+\\.[0-9] m?s", "<time>");
  }

  /** The lines of the box whose head has that text. */
  private static List<String> box(String output, String head) {
    List<String> lines = output.lines().toList();
    int from = 0;
    while (!lines.get(from).contains(head)) {
      from++;
    }
    int to = from;
    while (!lines.get(to).isEmpty()) {
      to++;
    }
    return lines.subList(from, to);
  }

  /** Names of the steps with which that was done, in order. */
  private static List<String> steps(List<String> box, String act) {
    Pattern line = Pattern.compile("^\\S+ +" + act + " +\\S+ +(\\S+).*");
    return box.stream().map(line::matcher).filter(m -> m.matches()).map(m -> m.group(1)).toList();
  }

  private static List<String> reversed(List<String> list) {
    List<String> copy = new java.util.ArrayList<>(list);
    java.util.Collections.reverse(copy);
    return copy;
  }
}
