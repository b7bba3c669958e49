package dev.evenkeel.store.rados;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What is read of one object's OMAP, as it is at one moment. Used by one thread at a time, once;
 * released by {@link Cluster#read}.
 */
final class ReadOp {
  private static final int CELL = 3 * Long.BYTES;

  private final Pointer op = Librados.rados_create_read_op();
  private final List<Memory> cells = new ArrayList<>();

  /** An OMAP entry; its arrays are its user's. */
  static final class Found {
    private final byte[] key;
    private final byte[] value;

    Found(byte[] key, byte[] value) {
      this.key = key;
      this.value = value;
    }

    byte[] key() {
      return key;
    }

    byte[] value() {
      return value;
    }

    String name() {
      return new String(key, StandardCharsets.UTF_8);
    }
  }

  /** What one part of the read has found. */
  record Part(List<Found> entries, boolean more) {}

  Pointer pointer() {
    return op;
  }

  /** Up to so many entries that begin with a prefix, after a key, in the order of bytes. */
  ReadOp page(byte[] after, String prefix, int most) {
    Memory cell = cell();
    byte[] start = java.util.Arrays.copyOf(after, after.length + 1);
    Librados.rados_read_op_omap_get_vals2(
        op,
        start,
        Librados.text(prefix),
        most,
        cell,
        cell.share(Long.BYTES),
        cell.share(2L * Long.BYTES));
    return this;
  }

  /** Exactly these, if they are there. */
  ReadOp keys(List<String> names) {
    Memory cell = cell();
    try (Cells keys =
        new Cells(names.stream().map(n -> n.getBytes(StandardCharsets.UTF_8)).toList())) {
      Librados.rados_read_op_omap_get_vals_by_keys2(
          op, keys.pointers(), names.size(), keys.lengths(), cell, cell.share(2L * Long.BYTES));
    }
    return this;
  }

  void release() {
    Librados.rados_release_read_op(op);
  }

  /** After completion: what was found, or nothing after a failure; frees what holds it. */
  List<Part> take(int code) {
    List<Part> parts = new ArrayList<>();
    try (Memory next = new Memory(4L * Long.BYTES)) {
      for (Memory cell : cells) {
        Pointer iterator = cell.getPointer(0);
        List<Found> found = new ArrayList<>();
        while (code >= 0 && iterator != null && step(iterator, next)) {
          found.add(new Found(bytes(next, 0), bytes(next, 1)));
        }
        if (iterator != null) {
          Librados.rados_omap_get_end(iterator);
        }
        parts.add(new Part(found, cell.getByte(Long.BYTES) != 0));
        cell.close();
      }
    }
    return parts;
  }

  private static boolean step(Pointer iterator, Memory next) {
    next.clear();
    Librados.rados_omap_get_next2(
        iterator,
        next,
        next.share(Long.BYTES),
        next.share(2L * Long.BYTES),
        next.share(3L * Long.BYTES));
    return next.getPointer(0) != null;
  }

  private static byte[] bytes(Memory next, int which) {
    Pointer start = next.getPointer((long) which * Long.BYTES);
    int length = Math.toIntExact(next.getLong((long) (2 + which) * Long.BYTES));
    return start == null || length == 0 ? new byte[0] : start.getByteArray(0, length);
  }

  private Memory cell() {
    Memory cell = new Memory(CELL);
    cell.clear();
    cells.add(cell);
    return cell;
  }
}
