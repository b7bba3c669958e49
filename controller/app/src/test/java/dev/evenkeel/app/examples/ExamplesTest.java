package dev.evenkeel.app.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.txn.history.TextOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {
  /** A stopwatch that stands still: nothing but what was done is compared. */
  private static final Examples EXAMPLES = new Examples(() -> 0);

  static List<String> names() {
    return EXAMPLES.names();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("names")
  @DisplayName("Parity 90: each example prints what stands in the file beside this test")
  void golden(String name) throws IOException {
    StringBuilder out = new StringBuilder();
    assertTrue(EXAMPLES.run(name, TextOptions.standard(), out));

    assertEquals(expected(name + ".txt", out.toString()), out.toString());
  }

  /** With {@code -Dexamples.write=DIR} the files are written there instead. */
  private static String expected(String file, String actual) throws IOException {
    String write = System.getProperty("examples.write", "");
    if (!write.isEmpty()) {
      Files.writeString(Path.of(write, file), actual);
      return actual;
    }
    try (InputStream in =
        Objects.requireNonNull(ExamplesTest.class.getResourceAsStream(file), file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  @DisplayName("An example that does not exist is not run")
  void unknown() throws IOException {
    StringBuilder out = new StringBuilder();
    assertFalse(EXAMPLES.run("nothing", TextOptions.standard(), out));
    assertEquals("", out.toString());
  }
}
