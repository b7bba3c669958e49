package dev.evenkeel.store.rados;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.datastore.DatastoreException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * Records of one object as they were at one moment.
 *
 * @param entries by path
 * @param epoch under which it was written last, or {@link Epoch#NONE}
 * @param version of the object
 */
record Seen(Map<String, Entry> entries, Epoch epoch, long version) {
  /** Where an object keeps the newest epoch that has written to it. */
  static final String EPOCH = "evenkeel.epoch";

  Optional<Entry> entry(Spot spot) {
    return Optional.ofNullable(entries.get(spot.path()));
  }

  /** Throws when a newer epoch is known than the one given. */
  void checkEpoch(String about, Epoch own) {
    if (!own.equals(Epoch.NONE) && own.compareTo(epoch) < 0) {
      throw new DatastoreException.Fenced(about);
    }
  }

  /** As it is stored: texts of one length, so that they compare as the numbers do. */
  static byte[] stored(long epoch) {
    return String.format(java.util.Locale.ROOT, "%019d", epoch).getBytes(StandardCharsets.US_ASCII);
  }

  static Epoch epoch(Map<String, byte[]> found) {
    byte[] bytes = found.get(EPOCH);
    if (bytes == null) {
      return Epoch.NONE;
    }
    try {
      return new Epoch(Long.parseLong(new String(bytes, StandardCharsets.US_ASCII)));
    } catch (IllegalArgumentException odd) {
      throw new DatastoreException.ParsingEntry(EPOCH, bytes, null);
    }
  }

  /** Makes an operation fail under a newer epoch, and leaves this one behind. */
  static void guard(WriteOp op, Epoch epoch) {
    if (!epoch.equals(Epoch.NONE)) {
      op.less(EPOCH, stored(Math.min(epoch.number(), Long.MAX_VALUE - 1) + 1));
      op.set(Map.of(EPOCH, stored(epoch.number())));
    }
  }
}
