package dev.evenkeel.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.evenkeel.api.volume.CreateVolume;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SecretTest {
  private static final String VALUE = "S3CR3T";

  @Test
  @DisplayName(
      "a secret is in no text: of itself, of the map, of the request, of its description and fingerprint")
  void neverShown() {
    Secrets secrets = Secrets.of(Map.of("key", Secret.of(VALUE)));
    CreateVolume request = CreateVolume.of("v", 1).with(secrets);
    String all = secrets.get("key") + " " + secrets + request + request.describe() + request.spec();
    assertFalse(all.contains(VALUE), all);
  }

  @Test
  @DisplayName("only a reader that is still allowed to gets the value")
  void onlyInAStep() {
    Secret secret = Secret.of(VALUE);
    assertEquals(VALUE, secret.use(() -> {}, value -> value));
    SecretReader ended =
        () -> {
          throw new IllegalStateException("the step has ended");
        };
    assertThrows(IllegalStateException.class, () -> secret.use(ended, value -> value));
  }
}
