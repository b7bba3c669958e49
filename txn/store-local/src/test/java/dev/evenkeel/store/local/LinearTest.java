package dev.evenkeel.store.local;

import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.tck.datastore.CompareAndSetClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The local store's compare-and-set")
class LinearTest {
  @TempDir Path folder;

  @Test
  @DisplayName("has an order for 16 clients")
  void clients() throws Exception {
    try (LocalDatastore store = LocalDatastore.open(folder, new JacksonCodecs())) {
      new CompareAndSetClients(
              Collections.nCopies(16, store), 100, Duration.ofSeconds(30), Duration.ofMinutes(2))
          .check();
    }
  }
}
