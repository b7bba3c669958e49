package dev.evenkeel.api.datastore;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Experimental;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A pair that an {@link SyncerOptions.UpdateProcessor} could not convert, with what follows from it
 * all the same: deletes of what the pair had given before, or a pair that takes its place. Thrown
 * by processors; the consumer is told of the pairs, then of the failure by {@link
 * ParseFailCallbacks}. (Datastore reference, 7.1 and 7.2.)
 */
@Experimental
public final class ConversionException extends EvenkeelException {
  private static final long serialVersionUID = 1L;

  private final transient List<KeyValue<?>> pairs;
  private final String rawKey;
  private final transient Optional<byte[]> rawValue;

  /**
   * A failed conversion.
   *
   * @param rawKey what is reported as undecodable
   * @param rawValue its bytes, if there are any
   * @param pairs what follows; a pair without a value is a delete
   * @param why the message; without stored values
   * @param cause what was thrown, if anything was
   */
  public ConversionException(
      String rawKey,
      Optional<byte[]> rawValue,
      List<KeyValue<?>> pairs,
      String why,
      @Nullable Throwable cause) {
    super(ErrorKind.INVALID, rawKey + " cannot be converted: " + why, cause);
    this.rawKey = rawKey;
    this.rawValue = rawValue.map(byte[]::clone);
    this.pairs = List.copyOf(pairs);
  }

  /** What follows from it. */
  public List<KeyValue<?>> pairs() {
    return pairs;
  }

  /** What is reported as undecodable. */
  public String rawKey() {
    return rawKey;
  }

  /** Its bytes. */
  public Optional<byte[]> rawValue() {
    return rawValue.map(byte[]::clone);
  }
}
