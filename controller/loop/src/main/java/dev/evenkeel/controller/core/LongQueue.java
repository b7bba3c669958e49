package dev.evenkeel.controller.core;

import java.util.Arrays;

/** Numbers, first in, first out. One thread. */
final class LongQueue {
  private long[] numbers = new long[64];
  private int from;
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  void add(long number) {
    if (size == numbers.length) {
      long[] more = Arrays.copyOfRange(numbers, from, from + 2 * size);
      System.arraycopy(numbers, 0, more, size - from, from);
      numbers = more;
      from = 0;
    }
    numbers[(from + size++) & (numbers.length - 1)] = number;
  }

  /** The first; there must be one. */
  long peek() {
    return numbers[from];
  }

  /** Takes the first; there must be one. */
  long remove() {
    long first = numbers[from];
    from = (from + 1) & (numbers.length - 1);
    size--;
    return first;
  }
}
