package dev.evenkeel.store.rados;

import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is done to one object, all or nothing: comparisons see it as it was, the rest happens in the
 * order given. Used by one thread, once; released by {@link Cluster#write}.
 */
final class WriteOp {
  private final Pointer op = Librados.rados_create_write_op();
  private long size;

  Pointer pointer() {
    return op;
  }

  /** Bytes in it, about. */
  long size() {
    return size;
  }

  void release() {
    Librados.rados_release_write_op(op);
  }

  /** Makes the object if it is not there; undone with the rest when a comparison fails. */
  WriteOp create() {
    Librados.rados_write_op_create(op, Librados.IDEMPOTENT, null);
    return this;
  }

  /** Fails with {@link Code#EXISTS} when the object is there. */
  WriteOp createNew() {
    Librados.rados_write_op_create(op, Librados.EXCLUSIVE, null);
    return this;
  }

  /** Fails with {@link Code#ABSENT} when the object is not there. */
  WriteOp mustExist() {
    Librados.rados_write_op_assert_exists(op);
    return this;
  }

  /** Fails when the object has been changed since a read that gave this version. */
  WriteOp atVersion(long version) {
    Librados.rados_write_op_assert_version(op, version);
    return this;
  }

  /** Fails unless the value is this one. */
  WriteOp equal(String key, byte[] value) {
    return compare(key, Librados.EQUAL, value);
  }

  /** Fails unless the key is absent: an absent one compares as an empty value. */
  WriteOp absent(String key) {
    return compare(key, Librados.EQUAL, new byte[0]);
  }

  /** Fails unless the value is less than this one, byte by byte; an absent one is. */
  WriteOp less(String key, byte[] value) {
    return compare(key, Librados.LESS, value);
  }

  WriteOp set(Map<String, byte[]> entries) {
    List<byte[]> keys = new ArrayList<>(entries.size());
    entries.keySet().forEach(key -> keys.add(bytes(key)));
    List<byte[]> values = List.copyOf(entries.values());
    try (Cells k = new Cells(keys);
        Cells v = new Cells(values)) {
      Librados.rados_write_op_omap_set2(
          op, k.pointers(), v.pointers(), k.lengths(), v.lengths(), keys.size());
    }
    keys.forEach(key -> size += key.length);
    values.forEach(value -> size += value.length);
    return this;
  }

  WriteOp removeKeys(List<String> names) {
    if (names.isEmpty()) {
      return this;
    }
    try (Cells keys = new Cells(names.stream().map(WriteOp::bytes).toList())) {
      Librados.rados_write_op_omap_rm_keys2(op, keys.pointers(), keys.lengths(), names.size());
    }
    return this;
  }

  /** Removes all keys from the first, inclusive, to the end, exclusive. */
  WriteOp removeRange(String first, String end) {
    byte[] from = bytes(first);
    byte[] to = bytes(end);
    Librados.rados_write_op_omap_rm_range2(op, from, from.length, to, to.length);
    return this;
  }

  /** Removes the object. */
  WriteOp remove() {
    Librados.rados_write_op_remove(op);
    return this;
  }

  private WriteOp compare(String key, int comparison, byte[] value) {
    byte[] name = bytes(key);
    Librados.rados_write_op_omap_cmp2(
        op, name, (byte) comparison, value, name.length, value.length, null);
    size += name.length + value.length;
    return this;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
