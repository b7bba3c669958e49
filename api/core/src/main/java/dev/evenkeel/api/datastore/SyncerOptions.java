package dev.evenkeel.api.datastore;

import dev.evenkeel.api.Key;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a syncer follows, and how.
 *
 * @param sources one entry for each kind of key
 * @param statusMode whether the status goes back when sync is lost
 * @param onParseFailure what the consumer sees of a known key whose new value cannot be decoded
 * @param listRetry pause after a failed list; grows, with jitter, up to thirty times
 * @param watchPoll pause between lists where the store cannot watch
 */
public record SyncerOptions(
    List<Source<?>> sources,
    StatusMode statusMode,
    ParsePolicy onParseFailure,
    Duration listRetry,
    Duration watchPoll) {
  /** Copies the sources. */
  public SyncerOptions {
    sources = List.copyOf(sources);
  }

  /** The usual intervals, a regressing status, and deletes for what cannot be decoded. */
  public static SyncerOptions of(List<Source<?>> sources) {
    return new SyncerOptions(
        sources,
        StatusMode.REGRESSING,
        ParsePolicy.DELETE,
        Duration.ofSeconds(1),
        Duration.ofSeconds(5));
  }

  /** Whether the status goes back from in sync. */
  public enum StatusMode {
    /** Back to resync in progress when sync is lost, and to in sync again. */
    REGRESSING,
    /** In sync for good once it was. */
    LATCHED
  }

  /** What becomes of a known key whose new value cannot be decoded. */
  public enum ParsePolicy {
    /** A deleted update. */
    DELETE,
    /** No update: the last good value stays. */
    KEEP_LAST
  }

  /**
   * One kind of key.
   *
   * @param options which of them
   * @param processor turns pairs into others on their way; absent for none
   */
  public record Source<V>(ListOptions<V> options, Optional<UpdateProcessor<V>> processor) {}

  /**
   * Turns one pair into none or several. Implemented by users; called by one thread; what it throws
   * counts as a failed conversion of that pair, and takes back what the pair had given; a {@link
   * ConversionException} tells itself what follows.
   *
   * @param <V> type of the values that come in
   */
  public interface UpdateProcessor<V> {
    /**
     * A pair as it is now; without a value when it was deleted. Pairs without a value in the answer
     * are deletes.
     */
    List<KeyValue<?>> process(KeyValue<V> pair);

    /** A full resync begins: forget everything. */
    default void onSyncerStarting() {}

    /** A key whose stored bytes could not be decoded: the deletes that follow from it. */
    default List<KeyValue<?>> unparsable(Key<V> key) {
      return List.of();
    }
  }
}
