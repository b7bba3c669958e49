package dev.evenkeel.txn.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records in slots by number. One thread writes; readers on others take no lock and see whole
 * records, because these are immutable and a slot changes in one write. A reader goes from the
 * newest to the oldest, as what is dropped meanwhile is dropped at the far end.
 */
final class Ring {
  private static final int SMALLEST = 64;

  private final int capacity;

  /** Its length is a power of two; replaced by a longer one when it is full. */
  private volatile AtomicReferenceArray<@Nullable Kept> slots;

  private volatile long first;
  private volatile long next;
  private int count;
  private long bytes;

  Ring(int limit) {
    capacity = limit <= 1 ? 1 : Integer.highestOneBit(limit - 1) << 1;
    slots = new AtomicReferenceArray<>(Math.min(SMALLEST, capacity));
  }

  /** Puts a record in the place of one with its number. */
  void replace(Kept kept) {
    Kept before = get(kept.number());
    if (before != null) {
      bytes += kept.bytes() - before.bytes();
      slots.set(slot(slots, kept.number()), kept);
    }
  }

  /** Adds a record with a number above all others. */
  void add(Kept kept) {
    while (count > 0 && kept.number() - first >= capacity) {
      dropOldest();
    }
    if (count == 0) {
      first = kept.number();
    }
    while (kept.number() - first >= slots.length()) {
      grow();
    }
    slots.set(slot(slots, kept.number()), kept);
    next = kept.number() + 1;
    count++;
    bytes += kept.bytes();
  }

  private void grow() {
    AtomicReferenceArray<@Nullable Kept> old = slots;
    AtomicReferenceArray<@Nullable Kept> longer = new AtomicReferenceArray<>(old.length() * 2);
    for (long number = first; number < next; number++) {
      longer.set(slot(longer, number), old.get(slot(old, number)));
    }
    slots = longer;
  }

  /** The oldest record; absent when there is none. */
  @Nullable Kept oldest() {
    return count == 0 ? null : get(first);
  }

  void dropOldest() {
    Kept kept = get(first);
    if (kept == null) {
      return;
    }
    slots.set(slot(slots, first), null);
    count--;
    bytes -= kept.bytes();
    long at = first + 1;
    while (at < next && get(at) == null) {
      at++; // a number that was never used
    }
    first = at;
  }

  int count() {
    return count;
  }

  long bytes() {
    return bytes;
  }

  /** Any thread. */
  @Nullable Kept get(long number) {
    if (number < 0) {
      return null;
    }
    AtomicReferenceArray<@Nullable Kept> now = slots;
    Kept kept = now.get(slot(now, number));
    return kept != null && kept.number() == number ? kept : null;
  }

  /** The newest records that the filter takes, oldest first. Any thread. */
  List<Kept> newest(int limit, Predicate<Kept> filter) {
    List<Kept> found = new ArrayList<>();
    for (long number = next - 1; number >= first && found.size() < limit; number--) {
      Kept kept = get(number);
      if (kept != null && filter.test(kept)) {
        found.add(kept);
      }
    }
    Collections.reverse(found);
    return found;
  }

  private static int slot(AtomicReferenceArray<?> of, long number) {
    return (int) (number & (of.length() - 1));
  }
}
