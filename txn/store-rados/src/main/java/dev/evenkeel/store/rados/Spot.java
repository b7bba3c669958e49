package dev.evenkeel.store.rados;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Where a pair's record lies, and how its fields are named there. With {@code P} for the prefix and
 * {@code |} for a tab, the OMAP keys of a record are {@code P|} (its revision), {@code P||} (its
 * uid) and {@code P|name} for each field; fields that ceph-csi has, too, have ceph-csi's keys. A
 * tab sorts before everything that a path or a name is made of, so a record's keys lie together.
 *
 * @param home the object
 * @param path of the key
 * @param prefix of the record's keys
 * @param fixed keys of those fields that are named otherwise
 * @param whole whether the object is this record's alone, and goes with it
 */
record Spot(Home home, String path, String prefix, SortedMap<String, String> fixed, boolean whole) {
  static final char TAB = '\t';

  String head() {
    return prefix + TAB;
  }

  String uid() {
    return prefix + TAB + TAB;
  }

  String key(String field) {
    return fixed.getOrDefault(field, prefix + TAB + field);
  }

  /** The field that a key is of; empty when it is none of this record's fields. */
  Optional<String> field(String key) {
    for (var entry : fixed.entrySet()) {
      if (entry.getValue().equals(key)) {
        return Optional.of(entry.getKey());
      }
    }
    boolean own = key.startsWith(head()) && key.length() > prefix.length() + 1;
    return own && key.charAt(prefix.length() + 1) != TAB
        ? Optional.of(key.substring(prefix.length() + 1))
        : Optional.empty();
  }

  /** Takes all fields away but the uid; those with other names unless they are set anew. */
  void clearFields(WriteOp op, Collection<String> except) {
    List<String> gone = new ArrayList<>();
    fixed.forEach(
        (field, key) -> {
          if (!except.contains(field)) {
            gone.add(key);
          }
        });
    op.removeKeys(gone).removeRange(head() + ' ', prefix + (char) (TAB + 1));
  }

  /** Takes the record away, or the whole object. */
  void clear(WriteOp op) {
    if (whole) {
      op.remove();
    } else {
      op.removeKeys(List.copyOf(fixed.values())).removeRange(head(), prefix + (char) (TAB + 1));
    }
  }

  /** What to read of the object for this record, as two parts. */
  void read(ReadOp op, int most) {
    op.page(new byte[0], head(), most).keys(List.copyOf(fixed.values()));
  }

  /** The record among the keys that were found, if it is there. */
  Optional<Entry> entry(Map<String, byte[]> found) {
    TreeMap<String, byte[]> fields = new TreeMap<>();
    found.forEach((key, value) -> field(key).ifPresent(name -> fields.put(name, value)));
    byte[] revision = found.get(head());
    if (revision == null && fields.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Entry(this, revision, found.get(uid()), fields));
  }
}
