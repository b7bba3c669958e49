package dev.evenkeel.api.volume;

import dev.evenkeel.api.InvalidInputException;

/**
 * How large a volume must and may be.
 *
 * @param required least bytes; 0 lets the driver choose
 * @param limit most bytes; 0 for no limit
 */
public record SizeRange(long required, long limit) {
  /** Any size. */
  public static final SizeRange ANY = new SizeRange(0, 0);

  /** Refuses negative sizes, and a limit below what is required. */
  public SizeRange {
    if (required < 0 || limit < 0) {
      throw InvalidInputException.of(
          "size", "bytes", required + ".." + limit, "must not be negative");
    }
    if (limit > 0 && required > limit) {
      throw InvalidInputException.of(
          "size", "bytes", required + ".." + limit, "must not require more than the limit");
    }
  }

  /** At least that many bytes. */
  public static SizeRange atLeast(long bytes) {
    return new SizeRange(bytes, 0);
  }

  /** Whether a real size fits. */
  public boolean fits(long bytes) {
    return bytes >= required && (limit == 0 || bytes <= limit);
  }
}
