package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Keys as etcd has them, and ranges of them. Pure. */
final class Bytes {
  /** What etcd takes for "a single key". */
  static final ByteString NO_END = ByteString.EMPTY;

  private static final Comparator<ByteString> ORDER =
      ByteString.unsignedLexicographicalComparator();

  private Bytes() {}

  /** A range: from its first key on, up to its end but without it. */
  record Range(ByteString from, ByteString end) {
    static Range prefix(String text) {
      ByteString from = ByteString.copyFromUtf8(text);
      return new Range(from, afterAll(from));
    }

    static Range one(String text) {
      ByteString key = ByteString.copyFromUtf8(text);
      return new Range(key, next(key));
    }

    boolean isEmpty() {
      return ORDER.compare(from, end) >= 0;
    }
  }

  static String text(ByteString bytes) {
    return bytes.toStringUtf8();
  }

  /** The least key behind a key. */
  static ByteString next(ByteString key) {
    return key.concat(ByteString.copyFrom(new byte[1]));
  }

  /** The least key behind all that begin with a prefix, which is ASCII at its end. */
  static ByteString afterAll(ByteString prefix) {
    byte[] bytes = prefix.toByteArray();
    bytes[bytes.length - 1]++;
    return ByteString.copyFrom(bytes);
  }

  /** What is left of a range when others are taken out of it. */
  static List<Range> without(Range whole, List<Range> taken) {
    List<Range> sorted = new ArrayList<>(taken);
    sorted.sort(Comparator.comparing(Range::from, ORDER));
    List<Range> left = new ArrayList<>();
    ByteString from = whole.from();
    for (Range out : sorted) {
      if (ORDER.compare(out.end(), from) <= 0 || ORDER.compare(out.from(), whole.end()) >= 0) {
        continue;
      }
      add(left, new Range(from, out.from()));
      from = out.end();
    }
    add(left, new Range(from, whole.end()));
    return left;
  }

  private static void add(List<Range> ranges, Range range) {
    Optional.of(range).filter(r -> !r.isEmpty()).ifPresent(ranges::add);
  }
}
