package dev.evenkeel.scenarios.house;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules that cannot fail are worth nothing: each is shown a case that breaks it. */
@DisplayName("The rules of the house find")
final class BrokenHouseTest {
  private static final String HANDLER =
      """
      package org.example;
      import dev.evenkeel.api.event.Event;
      import dev.evenkeel.api.event.ResyncEvent;
      import dev.evenkeel.api.event.UpdateEvent;
      import dev.evenkeel.api.handler.EventHandler;
      import dev.evenkeel.api.handler.Turn;
      public class Sly implements EventHandler {
        public String name() { return "sly"; }
        public boolean handlesEvent(Event event) { return true; }
        public void resync(ResyncEvent event, Turn turn) {}
        public String update(UpdateEvent event, Turn turn) {
          %s
        }
      }
      """;

  @TempDir private Path folder;

  private JavaClasses built(String... sources) {
    return Compiled.in(folder, sources);
  }

  private static void assertBroken(ArchRule rule, JavaClasses classes, String culprit) {
    String report = String.join("\n", rule.evaluate(classes).getFailureReport().getDetails());
    assertTrue(report.contains(culprit), () -> "not found: " + culprit + " in [" + report + "]");
  }

  @Test
  @DisplayName("an author's handler that imports the engine")
  void handlerWithEngine() {
    JavaClasses classes =
        built(
            HANDLER.formatted(
                "((dev.evenkeel.txn.TxnCollector) turn.txn()).owner(\"x\"); return \"\";"));
    assertBroken(HouseRules.handlersDoNotSeeTheEngine(), classes, "org.example.Sly");
  }

  @Test
  @DisplayName("a stock handler's helper that imports the engine")
  void stockHandlerWithEngine() {
    JavaClasses classes =
        built(
            """
            package dev.evenkeel.handlers.volume;
            class Helper { dev.evenkeel.txn.TxnEntry entry; }
            """);
    assertBroken(HouseRules.handlersDoNotSeeTheEngine(), classes, "handlers.volume.Helper");
    assertBroken(HouseRules.arrowsOf(Room.VOLUME), classes, "handlers.volume.Helper");
  }

  @Test
  @DisplayName("nothing wrong with a handler that uses the API alone")
  void honestHandler() {
    JavaClasses classes = built(HANDLER.formatted("return turn.newId();"));
    assertFalse(HouseRules.handlersDoNotSeeTheEngine().evaluate(classes).hasViolation());
  }

  @Test
  @DisplayName("a room that uses another's internals")
  void foreignInternals() {
    JavaClasses classes =
        built(
            """
            package dev.evenkeel.txn.internal;
            public class Hidden {}
            """,
            """
            package dev.evenkeel.controller;
            class Nosy { Object found = new dev.evenkeel.txn.internal.Hidden(); }
            """);
    assertBroken(HouseRules.internalsStayInside(Room.ENGINE), classes, "controller.Nosy");
    assertFalse(HouseRules.internalsStayInside(Room.LOOP).evaluate(classes).hasViolation());
  }

  @Test
  @DisplayName("an arrow against the table")
  void wrongArrow() {
    JavaClasses classes =
        built(
            """
            package dev.evenkeel.datastore;
            class Upstairs { dev.evenkeel.txn.TxnEntry entry; }
            """);
    assertBroken(HouseRules.arrowsOf(Room.DATASTORE), classes, "datastore.Upstairs");
  }

  @Test
  @DisplayName("a logger in the API")
  void logger() {
    JavaClasses classes =
        built(
            """
            package dev.evenkeel.api.event;
            class Chatty { org.slf4j.Logger log; }
            """);
    assertBroken(HouseRules.theApiNeitherLogsNorKnowsJson(), classes, "api.event.Chatty");
  }

  @Test
  @DisplayName("a cycle of packages")
  void cycle() {
    JavaClasses classes =
        built(
            """
            package dev.evenkeel.txn.one;
            public class Hen { dev.evenkeel.txn.two.Egg egg; }
            """,
            """
            package dev.evenkeel.txn.two;
            public class Egg { dev.evenkeel.txn.one.Hen hen; }
            """);
    assertBroken(HouseRules.packagesHaveNoCycles(), classes, "dev.evenkeel.txn.two");
  }

  @Test
  @DisplayName("every way to the wall clock, to chance, and out of the process")
  void clockAndDice() {
    JavaClasses classes =
        built(
            """
            package dev.evenkeel.controller;
            class Loose {
              long a() { return System.currentTimeMillis(); }
              Object b() { return java.time.Instant.now(); }
              Object c() { return java.util.UUID.randomUUID(); }
              double d() { return Math.random(); }
              Object e() { return new java.util.Random(); }
              void f() { System.exit(1); }
              Object g() { return java.util.concurrent.ThreadLocalRandom.current(); }
              Object fine(java.time.Clock clock) { return java.time.Instant.now(clock); }
              Object alsoFine(long seed) { return new java.util.Random(seed); }
            }
            """);
    for (String method : List.of("a", "b", "c", "d", "e", "f", "g")) {
      assertBroken(HouseRules.timeAndChanceAreGiven(), classes, "Loose." + method + "()");
    }
    String report =
        HouseRules.timeAndChanceAreGiven().evaluate(classes).getFailureReport().toString();
    assertFalse(report.contains("ine("), report);
  }
}
