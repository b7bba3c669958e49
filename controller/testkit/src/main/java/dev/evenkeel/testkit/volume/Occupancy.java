package dev.evenkeel.testkit.volume;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Watches that no two calls work on one image at once: the controller's locks must keep them apart.
 * Several may read one image together.
 */
final class Occupancy {
  private record Holder(String call, boolean alone) {}

  private final SortedMap<String, List<Holder>> byImage = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();

  synchronized void enter(String call, String image, List<String> read) {
    add(image, new Holder(call, true));
    read.forEach(source -> add(source, new Holder(call, false)));
  }

  synchronized void leave(String call, String image, List<String> read) {
    remove(image, new Holder(call, true));
    read.forEach(source -> remove(source, new Holder(call, false)));
  }

  synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  private void add(String image, Holder holder) {
    List<Holder> holders = byImage.computeIfAbsent(image, i -> new ArrayList<>());
    for (Holder other : holders) {
      if (other.alone() || holder.alone()) {
        violations.add(holder.call() + " during " + other.call() + " on " + image);
      }
    }
    holders.add(holder);
  }

  private void remove(String image, Holder holder) {
    List<Holder> holders = byImage.getOrDefault(image, List.of());
    if (!holders.isEmpty()) {
      holders.remove(holder);
    }
    if (holders.isEmpty()) {
      byImage.remove(image);
    }
  }
}
