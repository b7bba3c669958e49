package dev.evenkeel.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.tck.datastore.CompareAndSetClients;
import dev.evenkeel.tck.datastore.RegisterHistory;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Compare-and-set, as its clients see it")
class LinearTest {
  @Test
  @DisplayName("has an order for 16 clients of the memory store")
  void memory() throws Exception {
    try (MemoryDatastore store = MemoryDatastore.create()) {
      new CompareAndSetClients(
              Collections.nCopies(16, store), 200, Duration.ofSeconds(20), Duration.ofSeconds(60))
          .check();
    }
  }

  @Test
  @DisplayName("has none when two of the same value succeed")
  void twoWinners() {
    RegisterHistory history = new RegisterHistory(0);
    long one = history.begin();
    long two = history.begin();
    history.compareAndSet(one, 0, 1, true);
    history.compareAndSet(two, 0, 2, true);
    assertTrue(history.check().isPresent());
  }

  @Test
  @DisplayName("has none when a read that begins later sees what was there before")
  void staleRead() {
    RegisterHistory history = new RegisterHistory(0);
    history.compareAndSet(history.begin(), 0, 1, true);
    history.read(history.begin(), 0);
    assertTrue(history.check().isPresent());
  }

  @Test
  @DisplayName("may place one of unknown outcome late, or nowhere")
  void unknown() {
    RegisterHistory seen = new RegisterHistory(0);
    seen.unknown(seen.begin(), 0, 1);
    seen.read(seen.begin(), 0);
    seen.read(seen.begin(), 1);
    assertEquals(Optional.empty(), seen.check());
    seen.read(seen.begin(), 0);
    assertTrue(seen.check().isPresent());
    RegisterHistory never = new RegisterHistory(0);
    never.unknown(never.begin(), 0, 1);
    never.read(never.begin(), 0);
    assertEquals(Optional.empty(), never.check());
  }

  @Test
  @DisplayName("has none when one is refused although its value was there all the time")
  void refusedWrongly() {
    RegisterHistory history = new RegisterHistory(0);
    history.compareAndSet(history.begin(), 0, 1, false);
    assertTrue(history.check().isPresent());
  }
}
