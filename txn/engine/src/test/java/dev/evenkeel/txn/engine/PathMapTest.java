package dev.evenkeel.txn.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PathMapTest {
  @Test
  @DisplayName("A path map is a sorted map, and its older versions do not change")
  void likeTreeMap() {
    Random random = new Random(7);
    PathMap<Integer> map = PathMap.empty();
    TreeMap<String, Integer> model = new TreeMap<>();
    List<PathMap<Integer>> versions = new ArrayList<>();
    List<List<Integer>> contents = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      String path = "/" + (char) ('a' + random.nextInt(3)) + "/" + random.nextInt(300);
      if (random.nextInt(3) == 0) {
        map = map.remove(path);
        model.remove(path);
      } else {
        map = map.put(path, i);
        model.put(path, i);
      }
      assertEquals(model.get(path), map.get(path));
      if (i % 400 == 0) {
        versions.add(map);
        contents.add(all(map, ""));
        assertEquals(List.copyOf(model.values()), all(map, ""));
        assertEquals(List.copyOf(model.subMap("/b/", "/b0").values()), all(map, "/b/"));
      }
    }
    for (int i = 0; i < versions.size(); i++) {
      assertEquals(contents.get(i), all(versions.get(i), ""));
    }
  }

  @Test
  @DisplayName("A path map stays flat, also when paths come in order")
  void flat() {
    PathMap<Integer> map = PathMap.empty();
    for (int i = 0; i < 20_000; i++) {
      map = map.put(String.format("/%06d", i), i);
    }
    for (int i = 0; i < 20_000; i += 2) {
      map = map.remove(String.format("/%06d", i));
    }
    assertEquals(10_000, all(map, "").size());
    assertEquals(true, map.depth() <= 19, "1.44 log2 n at most");
  }

  private static List<Integer> all(PathMap<Integer> map, String prefix) {
    List<Integer> found = new ArrayList<>();
    map.forEach(prefix, found::add);
    return found;
  }
}
