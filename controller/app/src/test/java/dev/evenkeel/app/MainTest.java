package dev.evenkeel.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {

  @Test
  void versionNamesTheProgram() {
    StringWriter out = new StringWriter();
    CommandLine commandLine = Main.commandLine().setOut(new PrintWriter(out));

    assertEquals(0, commandLine.execute("--version"));
    assertTrue(out.toString().startsWith("evenkeel "), out::toString);
  }

  @Test
  void anUnknownWordIsAnErrorOfUse() {
    StringWriter err = new StringWriter();
    CommandLine commandLine = Main.commandLine().setErr(new PrintWriter(err));

    assertEquals(2, commandLine.execute("no-such-command"));
    assertTrue(err.toString().contains("no-such-command"), err::toString);
  }

  @Test
  void helpOfEveryCommandTellsTheExitStatus() {
    for (String[] arguments : new String[][] {{"--help"}, {"run", "--help"}, {"demo", "--help"}}) {
      StringWriter out = new StringWriter();
      CommandLine commandLine = Main.commandLine().setOut(new PrintWriter(out));

      assertEquals(0, commandLine.execute(arguments));
      assertTrue(out.toString().contains("Exit status:"), out::toString);
    }
  }
}
