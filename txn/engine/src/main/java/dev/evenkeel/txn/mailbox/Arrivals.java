package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Who waits until keys below a prefix are described. Any thread. */
final class Arrivals {
  private static final int MOST = 10_000;

  private final TreeMap<String, List<Promise<Optional<Failure>>>> waiting = new TreeMap<>();
  private int count;

  synchronized void add(String prefix, Promise<Optional<Failure>> arrival) {
    if (count >= MOST) {
      throw new IllegalStateException(MOST + " wait for descriptors already");
    }
    count++;
    waiting.computeIfAbsent(prefix, p -> new ArrayList<>()).add(arrival);
  }

  /** Those prefixes are described: a path below one of them is, too. */
  void arrived(List<String> prefixes) {
    List<Promise<Optional<Failure>>> done = new ArrayList<>();
    synchronized (this) {
      if (count == 0) {
        return;
      }
      for (Map.Entry<String, List<Promise<Optional<Failure>>>> entry :
          List.copyOf(waiting.entrySet())) {
        if (prefixes.stream().anyMatch(entry.getKey()::startsWith)) {
          done.addAll(entry.getValue());
          waiting.remove(entry.getKey());
        }
      }
      count -= done.size();
    }
    done.forEach(promise -> promise.finish(Optional.empty()));
  }

  /** None will come any more. */
  void end(Failure why) {
    List<Promise<Optional<Failure>>> left = new ArrayList<>();
    synchronized (this) {
      waiting.values().forEach(left::addAll);
      waiting.clear();
      count = 0;
    }
    left.forEach(promise -> promise.finish(Optional.of(why)));
  }
}
