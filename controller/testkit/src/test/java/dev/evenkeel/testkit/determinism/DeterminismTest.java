package dev.evenkeel.testkit.determinism;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.handler.AllowNondeterminism;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.testkit.determinism.Finding.Rule;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The determinism guard")
@SuppressWarnings({"unused", "UnusedVariable", "UnusedMethod", "JavaTimeDefaultTimeZone"})
final class DeterminismTest {

  static final class ReadsClock {
    Instant update() {
      return Instant.now();
    }
  }

  static final class NamesClock {
    Supplier<Instant> update() {
      return Instant::now;
    }
  }

  static final class Helper {
    static String id() {
      return UUID.randomUUID().toString();
    }
  }

  static final class GoesIntoHelper {
    String update() {
      return Helper.id();
    }
  }

  static final class InLambda {
    void update(List<Integer> all) {
      all.forEach(one -> System.nanoTime());
    }
  }

  static final class StartsThreads {
    Object update() {
      return CompletableFuture.supplyAsync(() -> 1).join();
    }
  }

  static final class HashedSet {
    List<Object> update(List<Object> all) {
      Set<Object> once = new HashSet<>(all);
      List<Object> result = new ArrayList<>();
      for (Object one : once) {
        result.add(one);
      }
      return result;
    }
  }

  static final class HashedField {
    private final Map<String, Integer> totals = new HashMap<>();

    String update() {
      StringBuilder all = new StringBuilder();
      for (Map.Entry<String, Integer> one : totals.entrySet()) {
        all.append(one.getKey());
      }
      return all.toString();
    }
  }

  static final class SaltedSet {
    String update() {
      return Set.of("a", "b", "c").stream().collect(Collectors.joining());
    }
  }

  static final class Gathers {
    Map<Integer, List<String>> update(Stream<String> all) {
      return all.collect(Collectors.groupingBy(String::length));
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      classes = {
        ReadsClock.class,
        NamesClock.class,
        GoesIntoHelper.class,
        InLambda.class,
        StartsThreads.class,
        HashedSet.class,
        HashedField.class,
        SaltedSet.class,
        Gathers.class
      })
  @DisplayName("finds and names")
  void finds(Class<?> handler) {
    List<Finding> found = Determinism.scan(handler);
    assertEquals(1, found.size(), found::toString);
    Map<Class<?>, Rule> expected =
        Map.of(
            ReadsClock.class, Rule.CLOCK,
            NamesClock.class, Rule.CLOCK,
            InLambda.class, Rule.CLOCK,
            GoesIntoHelper.class, Rule.RANDOMNESS,
            StartsThreads.class, Rule.THREADS);
    assertEquals(expected.getOrDefault(handler, Rule.HASH_ORDER), found.get(0).rule());
    String text = assertThrows(AssertionError.class, () -> Determinism.check(handler)).toString();
    assertTrue(text.contains("DeterminismTest$"), text);
    assertTrue(text.contains("update") || text.contains("Helper.id:"), text);
  }

  static final class Quiet {
    private final SortedMap<String, Integer> totals = new TreeMap<>();
    private final Map<String, Integer> byName = new HashMap<>();

    Object update(Clock clock, Set<String> given) {
      int known = byName.getOrDefault("a", 0) + byName.size();
      Map<String, Integer> ordered = new LinkedHashMap<>(totals);
      ordered.forEach((name, value) -> totals.put(name, value + known));
      new TreeSet<>(given).forEach(name -> totals.remove(name));
      return List.of(clock.instant(), Instant.now(clock), new Random(7).nextInt());
    }

    Step<String> step() {
      return Steps.step("act", String.class)
          .apply(context -> Instant.now().toString())
          .undo((context, done) -> Thread.onSpinWait());
    }

    @AllowNondeterminism("for a text that nobody decides by")
    String shown() {
      return Instant.now().toString();
    }
  }

  @Test
  @DisplayName(
      "lets alone: sorted and linked collections, looking things up, steps, what has a reason")
  void letsAlone() {
    assertEquals(List.of(), Determinism.scan(Quiet.class));
  }

  @AllowNondeterminism(" ")
  static final class WithoutReason {
    Instant update() {
      return Instant.now();
    }
  }

  @Test
  @DisplayName("does not take an empty reason")
  void emptyReason() {
    assertThrows(IllegalArgumentException.class, () -> Determinism.scan(WithoutReason.class));
  }
}
