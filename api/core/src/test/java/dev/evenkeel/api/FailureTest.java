package dev.evenkeel.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.loop.AbortEventException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FailureTest {
  @Test
  @DisplayName("the kind of a failure is found inside other exceptions; a foreign one is internal")
  void kinds() {
    Throwable wrapped =
        new IllegalStateException(
            new RuntimeException(new EvenkeelException(ErrorKind.BUSY, "held")));
    assertEquals(ErrorKind.BUSY, Failure.of("image", "apply", wrapped).kind());
    assertEquals(ErrorKind.INTERNAL, Failure.of("image", "apply", new Exception("x")).kind());
    assertEquals(ErrorKind.BUSY, new AbortEventException("no use", wrapped).kind());
  }

  @Test
  @DisplayName("a cause that refers to itself does not hang the search")
  void circularCause() {
    Exception a = new Exception("a");
    Exception b = new Exception("b", a);
    a.initCause(b);
    assertEquals(ErrorKind.INTERNAL, EvenkeelException.kindOf(a));
  }

  @Test
  @DisplayName("an exception without a text is called by its type")
  void withoutText() {
    assertEquals(
        "NullPointerException", Failure.of("a", "b", new NullPointerException()).message());
  }

  @Test
  @DisplayName("transient kinds are not final")
  void finality() {
    assertTrue(ErrorKind.INTERNAL.isFinal() && ErrorKind.RESOURCE_EXHAUSTED.isFinal());
    assertTrue(!ErrorKind.BUSY.isFinal() && !ErrorKind.DEADLINE_EXCEEDED.isFinal());
    assertTrue(!ErrorKind.UNAVAILABLE.isFinal() && !ErrorKind.CANCELLED.isFinal());
  }

  @Test
  @DisplayName("flat fields refuse empty names and values, and keep their order")
  void fields() {
    assertThrows(InvalidInputException.class, () -> Fields.of(Map.of("a", "")));
    assertThrows(InvalidInputException.class, () -> Fields.empty().with("", "x"));
    assertEquals("{a=1, b=2}", Fields.empty().with("b", "2").with("a", "1").toString());
  }
}
