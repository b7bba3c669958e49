package dev.evenkeel.api;

import java.util.function.Function;

/**
 * A secret that travels with a request and can be read only inside a step. It has no value-based
 * equality, is never serialised, and prints as {@value #MASK}.
 */
public final class Secret {
  /** What is shown in place of every secret. */
  public static final String MASK = "***stripped***";

  private final String value;

  private Secret(String value) {
    this.value = value;
  }

  /** Wraps a value; the caller should forget its own copy. */
  public static Secret of(String value) {
    return new Secret(value);
  }

  /**
   * Gives the value to {@code use}, which must not let it out. The reader is the context of the
   * step that runs; outside a step nobody has one.
   */
  public <R> R use(SecretReader reader, Function<String, R> use) {
    reader.checkReadable();
    return use.apply(value);
  }

  @Override
  public String toString() {
    return MASK;
  }
}
