package dev.evenkeel.api.datastore;

import java.util.Objects;

/**
 * An opaque revision: compare for equality only. Ordering and parsing are the store's own business
 * (datastore reference, 1.11).
 *
 * @param text the store's own spelling
 */
public record Revision(String text) {
  /** No revision given. */
  public static final Revision NONE = new Revision("");

  /** From scratch. */
  public static final Revision ZERO = new Revision("0");

  /** Refuses null. */
  public Revision {
    Objects.requireNonNull(text, "text");
  }

  /** Whether one was given. */
  public boolean isGiven() {
    return !text.isEmpty();
  }

  @Override
  public String toString() {
    return text.isEmpty() ? "-" : text;
  }
}
