package org.example.encryption;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * What is kept beside an encrypted image: enough to check a passphrase, not to guess it cheaply.
 *
 * @param image name of the image
 * @param digest of the passphrase, salted with the image's name
 */
record Header(String image, String digest) {
  private static final int ROUNDS = 10_000;
  private static final int BITS = 256;

  static Header of(String image, String passphrase) {
    byte[] salt = image.getBytes(StandardCharsets.UTF_8);
    PBEKeySpec spec = new PBEKeySpec(passphrase.toCharArray(), salt, ROUNDS, BITS);
    try {
      byte[] key =
          SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
      return new Header(image, HexFormat.of().formatHex(key));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every Java has PBKDF2WithHmacSHA256", missing);
    } finally {
      spec.clearPassword();
    }
  }
}
