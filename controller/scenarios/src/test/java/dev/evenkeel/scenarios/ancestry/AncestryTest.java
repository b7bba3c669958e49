package dev.evenkeel.scenarios.ancestry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.scenarios.ancestry.Page.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The ancestry page")
final class AncestryTest {
  private static final String NOT_YET = "not yet: ";

  /** What later work may be put off to. */
  private static final Set<String> LATER =
      Set.of(
          "The event loop",
          "The transaction engine",
          "Datastores and syncer",
          "Volume operations and the CSI front",
          "Record, replay, simulate",
          "The operator's surface");

  private static List<Row> rows = List.of();
  private static final Names NAMES = new Names();

  @BeforeAll
  static void read() throws IOException {
    rows = Page.rows();
  }

  @Test
  @DisplayName("has one row for each thing that the three documents name or promise")
  void complete() {
    assertEquals(
        new TreeSet<>(Ancestors.BY_SECTION.keySet()),
        new TreeSet<>(rows.stream().map(Row::section).toList()));
    Ancestors.BY_SECTION.forEach(
        (section, names) ->
            assertEquals(
                names,
                rows.stream().filter(r -> r.section().equals(section)).map(Row::ancestor).toList(),
                section));
  }

  @Test
  @DisplayName("names only types and members that exist")
  void namesExist() {
    List<String> faults = new ArrayList<>();
    for (Row row : rows) {
      if (row.types().isEmpty()) {
        faults.add(row + " has no counterpart");
      }
      row.types().forEach(name -> NAMES.fault(name).ifPresent(faults::add));
    }
    assertEquals(List.of(), faults);
  }

  @Test
  @DisplayName("names only tests and scenarios that exist, and says what is not there yet")
  void evidenceExists() throws IOException {
    Evidence evidence = new Evidence(Page.root());
    List<String> faults = new ArrayList<>();
    for (Row row : rows) {
      row.evidence().stream()
          .filter(name -> !evidence.has(name))
          .forEach(name -> faults.add(row + ": no test is called " + name));
      int later = row.shown().indexOf(NOT_YET);
      if (later < 0 && row.evidence().isEmpty()) {
        faults.add(row + " is neither shown nor put off");
      }
      if (later >= 0 && !LATER.contains(row.shown().substring(later + NOT_YET.length()))) {
        faults.add(row + " is put off to nothing known: " + row.shown());
      }
    }
    assertEquals(List.of(), faults);
  }

  @Test
  @DisplayName("would fail on a type, a member or a test that does not exist")
  void failsWhenItShould() throws IOException {
    assertTrue(NAMES.fault("Event#type").isEmpty());
    assertTrue(NAMES.fault("dev.evenkeel.api.event.Event#type").isEmpty());
    assertTrue(NAMES.fault("Outcome.Applied#answer").isEmpty());
    assertFalse(NAMES.fault("Event#getName").isEmpty());
    assertFalse(NAMES.fault("EventMaker").isEmpty());
    assertFalse(NAMES.fault("dev.evenkeel.api.Event").isEmpty());
    assertFalse(NAMES.fault("Leader").isEmpty(), "two types end in that name");
    Evidence evidence = new Evidence(Page.root());
    assertTrue(evidence.has("AncestryTest"));
    assertFalse(evidence.has("NoSuchTest"));
    assertTrue(evidence.has("EL-06"));
    assertFalse(evidence.has("EL-999"));
  }

  @Test
  @DisplayName("is read cell by cell")
  void parses() {
    List<Row> read =
        Page.rows(
            "## One\n\n| ancestor | x | y | shown by |\n|---|---|---|---|\n| `A.b` | `C#d` `E` | why | `EL-01`; not yet: Z |\n");
    assertEquals(
        List.of(new Row("One", "A.b", List.of("C#d", "E"), "why", "`EL-01`; not yet: Z")), read);
    assertEquals(List.of("EL-01"), read.get(0).evidence());
  }
}
