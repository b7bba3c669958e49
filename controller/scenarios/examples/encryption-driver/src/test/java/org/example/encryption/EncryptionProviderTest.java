package org.example.encryption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.handler.HandlerProvider;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class EncryptionProviderTest {
  @Test
  void isFoundInItsNamedModule() {
    assertTrue(EncryptionProvider.class.getModule().isNamed());
    assertEquals(
        "encryption",
        new EncryptionHandler(new Headers(java.nio.file.Path.of("x"))).name());
  }
}
