package dev.evenkeel.txn.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.ValueState;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AnyOfsTest {
  @Test
  @DisplayName("An any-of dependency is met exactly when something available matches it")
  void likeNaive() {
    TreeMap<String, Boolean> there = new TreeMap<>();
    AnyOfs anyOfs =
        new AnyOfs(
            new AnyOfs.Targets() {
              @Override
              public @Nullable String after(String path, String prefix) {
                String next = there.higherKey(path);
                return next != null && next.startsWith(prefix) ? next : null;
              }

              @Override
              public boolean available(String path) {
                return there.getOrDefault(path, false);
              }
            });
    List<Dependency.AnyOf> needs = new ArrayList<>();
    for (List<String> prefixes :
        List.of(List.of("/a/"), List.of("/a/1", "/b/"), List.of("/a/11", "/a/1"), List.of("/c"))) {
      needs.add(new Dependency.AnyOf("l", prefixes, p -> true));
      needs.add(new Dependency.AnyOf("l", prefixes, p -> !p.endsWith("1")));
    }
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < needs.size(); i++) {
      nodes.add(new Node(Val.key("d/" + i), null, null));
    }
    Random random = new Random(3);
    for (int i = 0; i < 20_000; i++) {
      String path = "/" + (char) ('a' + random.nextInt(3)) + "/" + random.nextInt(30);
      boolean was = there.getOrDefault(path, false);
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          there.put(path, true);
          if (!was) {
            anyOfs.arrived(path);
          }
        }
        case 2, 3 -> {
          if (random.nextBoolean()) {
            there.remove(path);
          } else {
            there.put(path, false);
          }
          if (was) {
            anyOfs.left(path);
          }
        }
        default -> {
          int one = random.nextInt(needs.size());
          if (random.nextBoolean()) {
            anyOfs.link(nodes.get(one), needs.get(one));
          } else {
            anyOfs.unlink(nodes.get(one), needs.get(one));
          }
        }
      }
      for (Dependency.AnyOf need : needs) {
        boolean met =
            there.entrySet().stream()
                .anyMatch(e -> e.getValue() && Graph.targets(need, e.getKey()));
        assertEquals(met, anyOfs.met(need));
      }
    }
  }

  @Test
  @DisplayName("TX-27 A target that comes or goes costs nothing where another one meets the need")
  void concernsFew() {
    AtomicInteger asked = new AtomicInteger();
    Engine engine =
        new Engine(
            outside -> {
              MockDescriptor a = new MockDescriptor("a", outside);
              MockDescriptor b = new MockDescriptor("b", outside);
              b.everyNeeds =
                  (key, value) ->
                      List.of(
                          new Dependency.AnyOf(
                              "any",
                              List.of("/a/"),
                              path -> {
                                asked.incrementAndGet();
                                return true;
                              }));
              return List.of(a, b);
            });
    engine.update(Engine.put("a/1"));
    for (int i = 0; i < 100; i++) {
      engine.update(Engine.put("b/" + i));
    }
    asked.set(0);

    engine.update(Engine.put("a/2"));
    engine.update(Engine.put("a/3"));
    engine.update(Engine.delete("a/3"));

    assertEquals(0, asked.get());
    assertEquals(List.of("D a/1 CF>RM"), Engine.ops(engine.update(Engine.delete("a/1"))));
    assertTrue(asked.get() <= 200, asked::toString);
    assertEquals(101, engine.update(Engine.delete("a/2")).operations().size());
    assertEquals(ValueState.PENDING, engine.state("b/7"));
    assertEquals(List.of("any"), engine.status("b/7").details());
    assertEquals(new TreeSet<>(), new TreeSet<>(engine.outside.state().keySet()));
  }

  @Test
  @DisplayName(
      "GW-2 Targets that go one after another, of which others are left pending, stay cheap")
  void goInOrder() {
    Engine engine =
        new Engine(
            outside -> {
              MockDescriptor a = new MockDescriptor("a", outside);
              a.everyNeeds =
                  (key, value) ->
                      List.of(new Dependency.On("lock", "/c/lock/" + key.path().substring(3)));
              MockDescriptor b = new MockDescriptor("b", outside);
              b.everyNeeds =
                  (key, value) ->
                      List.of(new Dependency.AnyOf("any", List.of("/a/"), path -> true));
              return List.of(a, b, new MockDescriptor("c", outside));
            });
    int many = 3000;
    engine.update(Engine.put("b/1"));
    for (int i = 0; i < many; i++) {
      engine.update(Engine.put("c/lock/" + (10_000 + i)), Engine.put("a/" + (10_000 + i)));
    }
    long before = System.nanoTime();
    for (int i = 0; i < many; i++) {
      assertEquals(
          i == many - 1 ? 3 : 2,
          engine.update(Engine.delete("c/lock/" + (10_000 + i))).operations().size());
    }
    long took = System.nanoTime() - before;
    assertTrue(took < 5_000_000_000L, () -> "took " + took);
  }
}
