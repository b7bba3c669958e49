package dev.evenkeel.app.examples;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The mock of a switch: what is configured in it, and which call fails next. One thread. */
final class Device {
  /** Something that is configured, with the number that the switch gave it. */
  record Thing(Object value, int number) {}

  private final SortedMap<String, Thing> things = new TreeMap<>();
  private final SortedMap<String, Deque<String>> faults = new TreeMap<>();
  private int nextNumber;

  /** The next call like {@code create /example/nic/eth0} fails. */
  void failNext(String call, String reason) {
    faults.computeIfAbsent(call, c -> new ArrayDeque<>()).add(reason);
  }

  int put(String path, Object value) {
    Thing before = things.get(path);
    int number = before == null ? nextNumber++ : before.number();
    things.put(path, new Thing(value, number));
    return number;
  }

  void remove(String path) {
    things.remove(path);
  }

  /** Paths and things below a prefix; a copy. */
  SortedMap<String, Thing> below(String prefix) {
    return new TreeMap<>(things.subMap(prefix, prefix + Character.MAX_VALUE));
  }

  void called(String operation, String path) {
    Deque<String> planned = faults.get(operation + " " + path);
    @Nullable String reason = planned == null ? null : planned.poll();
    if (reason != null) {
      throw new IllegalStateException(reason);
    }
  }

  /** What is configured, one line each. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    things.forEach((path, thing) -> lines.add(path + " = " + thing.value()));
    return lines;
  }
}
