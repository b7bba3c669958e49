package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.datastore.DatastoreException;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import java.util.Locale;
import java.util.Optional;

/**
 * The newest epoch of a group, as a key of its own that every write under an epoch compares: the
 * store itself refuses an older one, in the transaction that would have written. Pure.
 */
final class Fence {
  private final ByteString key;

  Fence(EtcdSettings settings) {
    this.key = ByteString.copyFromUtf8(settings.root() + "#fence/" + settings.group());
  }

  RequestOp get() {
    return Ops.get(key);
  }

  /** It is at that epoch. */
  Compare at(Epoch epoch) {
    return Ops.value(key, text(epoch));
  }

  /** It is as it was seen. */
  Compare asSeen(Optional<KeyValue> seen) {
    return Ops.modifiedOrAbsent(key, seen.map(KeyValue::getModRevision).orElse(0L));
  }

  RequestOp raise(Epoch epoch) {
    return Ops.put(key, text(epoch), 0);
  }

  /** The epoch that was seen. */
  static Epoch epoch(String about, Optional<KeyValue> seen) {
    if (seen.isEmpty()) {
      return Epoch.NONE;
    }
    String text = Bytes.text(seen.get().getValue());
    try {
      return new Epoch(Long.parseLong(text));
    } catch (IllegalArgumentException odd) {
      throw new DatastoreException.ParsingEntry(
          about + " (fence)", seen.get().getValue().toByteArray(), odd);
    }
  }

  private static ByteString text(Epoch epoch) {
    return ByteString.copyFromUtf8(String.format(Locale.ROOT, "%020d", epoch.number()));
  }
}
