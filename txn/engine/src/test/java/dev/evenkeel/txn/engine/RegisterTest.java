package dev.evenkeel.txn.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.evenkeel.api.InvalidInputException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RegisterTest {
  private final SouthBound outside = new SouthBound();

  private List<String> faults(MockDescriptor... descriptors) {
    return assertThrows(InvalidInputException.class, () -> new EngineCore(List.of(descriptors)))
        .faults()
        .stream()
        .map(fault -> fault.text())
        .toList();
  }

  @Test
  @DisplayName("TX-56 Descriptors that share a name or keys are refused, all faults at once")
  void shared() {
    assertEquals(
        List.of("name: is the name of two descriptors (given: DA)"),
        faults(new MockDescriptor("a", outside), new MockDescriptor("a", outside)));
    assertEquals(
        List.of("prefix: lies in /a/, of another descriptor (given: /a/b/)"),
        faults(new MockDescriptor("a", outside), new MockDescriptor("a/b", outside)));
  }

  @Test
  @DisplayName("TW-8 Descriptors that wait for each other, or for nobody, are refused")
  void cycles() {
    assertEquals(
        List.of("retrieveAfter: these wait for each other (given: [DA, DB])"),
        faults(
            new MockDescriptor("a", outside).after("DB"),
            new MockDescriptor("b", outside).after("DA")));
    assertEquals(
        List.of("retrieveAfter of DA: is no descriptor (given: DX)"),
        faults(new MockDescriptor("a", outside).after("DX")));
  }
}
