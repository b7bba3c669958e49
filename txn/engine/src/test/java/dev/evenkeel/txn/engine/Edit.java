package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.txn.TxnEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * One wish of a random program.
 *
 * @param path which of {@link #PATHS}
 * @param items a mask of {@link #ITEMS}, or nothing when negative
 */
record Edit(int path, int items) {
  static final String[] PATHS = {"a/0", "a/1", "a/2", "a/3", "b/0", "b/1", "b/2"};
  static final String[] ITEMS = {"x", "y", "z=1", "z=2"};

  static Arbitrary<Edit> arbitrary() {
    return Combinators.combine(
            Arbitraries.integers().between(0, PATHS.length - 1),
            Arbitraries.integers().between(-6, 15))
        .as(Edit::new);
  }

  String key() {
    return PATHS[path];
  }

  /** Whether nothing is wanted there any more. */
  boolean deletes() {
    return items < 0;
  }

  TxnEntry entry() {
    return deletes() ? Engine.delete(key()) : Engine.put(key(), list());
  }

  String[] list() {
    List<String> list = new ArrayList<>();
    for (int i = 0; i < ITEMS.length; i++) {
      boolean second = ITEMS[i].equals("z=2") && (items & 4) != 0;
      if ((items & (1 << i)) != 0 && !second) {
        list.add(ITEMS[i]);
      }
    }
    return list.toArray(String[]::new);
  }

  /** Does it to what is wanted. */
  void wish(Map<String, String[]> wanted) {
    if (deletes()) {
      wanted.remove(key());
    } else {
      wanted.put(key(), list());
    }
  }

  /** It happens outside, behind the engine's back. */
  void drift(SouthBound outside) {
    if (deletes()) {
      outside.lose(key());
    } else if (outside.things.containsKey("/" + key())) {
      outside.put(key(), 77, Origin.NORTH, list());
    }
  }

  static TxnEntry[] all(Map<String, String[]> wanted) {
    return wanted.entrySet().stream()
        .map(entry -> Engine.put(entry.getKey(), entry.getValue()))
        .toArray(TxnEntry[]::new);
  }

  /** What an engine wants of these paths. */
  static void take(Engine engine, Map<String, String[]> wanted) {
    wanted.clear();
    for (String path : PATHS) {
      engine
          .core
          .values()
          .desired(Val.key(path))
          .ifPresent(value -> wanted.put(path, ((Val.L) value).items().toArray(String[]::new)));
    }
  }

  /** Each path that is wanted, and each item, with what would be there. */
  static TreeMap<String, String> laidOut(Map<String, String[]> wanted) {
    TreeMap<String, String> there = new TreeMap<>();
    wanted.forEach(
        (path, items) -> {
          there.put(path, "L");
          for (String item : items) {
            there.put(path + "/" + new Val.S(item).name(), item);
          }
        });
    return there;
  }
}
