package dev.evenkeel.controller.core;

import dev.evenkeel.api.loop.HandlerRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What the handlers of an event did. Mostly there is nothing to say but how long each took, in the
 * order of the chain: then it is only numbers, and records are made for whoever reads them. Core's
 * thread only.
 */
final class Calls {
  private static final int FIRST = 8;

  private long[] nanos = new long[FIRST];

  /** How many of the numbers count; negative when the records do. */
  private int plain;

  private final List<HandlerRecord> records = new ArrayList<>();

  /** The call went well, and changed nothing that it speaks of. */
  void add(List<String> chain, String handler, long took) {
    if (plain >= 0 && plain < chain.size() && chain.get(plain).equals(handler)) {
      if (plain == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * plain);
      }
      nanos[plain++] = took;
    } else {
      add(chain, record(handler, took));
    }
  }

  /** Any other call. */
  void add(List<String> chain, HandlerRecord record) {
    if (plain >= 0) {
      List<HandlerRecord> before = list(chain);
      records.addAll(before);
      plain = -1;
    }
    records.add(record);
  }

  private static HandlerRecord record(String handler, long took) {
    return new HandlerRecord(handler, false, "", Optional.empty(), Duration.ofNanos(took));
  }

  /** Whether each handler of the chain was called once, and there is nothing more to say. */
  boolean arePlain(List<String> chain) {
    return plain == chain.size();
  }

  int size() {
    return plain >= 0 ? plain : records.size();
  }

  String handler(List<String> chain, int at) {
    return plain >= 0 ? chain.get(at) : records.get(at).handler();
  }

  long nanos(int at) {
    return plain >= 0 ? nanos[at] : records.get(at).duration().toNanos();
  }

  boolean failed(int at) {
    return plain < 0 && records.get(at).failure().isPresent();
  }

  /** The last one. */
  HandlerRecord last(List<String> chain) {
    return plain > 0
        ? record(chain.get(plain - 1), nanos[plain - 1])
        : records.get(records.size() - 1);
  }

  List<HandlerRecord> list(List<String> chain) {
    if (plain < 0) {
      return records;
    }
    List<HandlerRecord> made = new ArrayList<>(plain);
    for (int i = 0; i < plain; i++) {
      made.add(record(chain.get(i), nanos[i]));
    }
    return made;
  }

  /** Records of that many numbers from that place on. */
  static List<HandlerRecord> list(List<String> chain, int[] nanos, int from, int count) {
    List<HandlerRecord> made = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      made.add(record(chain.get(i), nanos[from + i]));
    }
    return made;
  }

  void clear() {
    plain = 0;
    if (!records.isEmpty()) {
      records.clear();
    }
  }
}
