package dev.evenkeel.bench.loop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The work of all sides but Evenkeel, whose handlers do the same one by one: three puts. */
final class Puts {
  static final int HANDLERS = 3;

  private final List<Map<String, Item>> maps = new ArrayList<>();

  Puts() {
    for (int i = 0; i < HANDLERS; i++) {
      maps.add(new HashMap<>());
    }
  }

  void work(Item item) {
    for (int i = 0; i < HANDLERS; i++) {
      maps.get(i).put(item.key(), item);
    }
  }
}
