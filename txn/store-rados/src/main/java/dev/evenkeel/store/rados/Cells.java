package dev.evenkeel.store.rados;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.util.List;

/**
 * Arrays of byte strings in native memory, as librados takes keys and values. Closed by its maker.
 */
final class Cells implements AutoCloseable {
  private final Memory memory;
  private final int count;

  Cells(List<byte[]> strings) {
    count = strings.size();
    long size = 2L * Long.BYTES * count;
    for (byte[] string : strings) {
      size += string.length;
    }
    memory = new Memory(Math.max(1, size));
    long base = Pointer.nativeValue(memory);
    long at = 2L * Long.BYTES * count;
    for (int i = 0; i < count; i++) {
      byte[] string = strings.get(i);
      memory.setPointer((long) i * Long.BYTES, Pointer.createConstant(base + at));
      memory.setLong((long) (count + i) * Long.BYTES, string.length);
      memory.write(at, string, 0, string.length);
      at += string.length;
    }
  }

  Pointer pointers() {
    return memory;
  }

  Pointer lengths() {
    // Of an empty array nothing is read.
    return count == 0 ? memory : memory.share((long) count * Long.BYTES);
  }

  @Override
  public void close() {
    memory.close();
  }
}
