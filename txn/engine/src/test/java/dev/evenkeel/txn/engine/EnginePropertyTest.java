package dev.evenkeel.txn.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.txn.TxnEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Random programs against a naive oracle: a value is there if it is wanted and everything that it
 * needs is. Values a/k need each other, cycles included, and b/k and their items need those.
 */
class EnginePropertyTest {
  /** What each key needs: those of one kind, without first slashes. */
  private static final Map<String, List<String>> NEEDS =
      Map.of(
          "a/0", List.of("a/1"),
          "a/1", List.of("a/2"),
          "a/2", List.of("a/0", "a/3"),
          "b/0", List.of("a/0"),
          "b/1", List.of("a/3/x"),
          "b/0/x", List.of("a/3/y"),
          "b/1/y", List.of("a/1"),
          "b/2/z", List.of("b/1", "a/3"));

  /** One move: a transaction of some kind, with a call that fails or one that hangs, or none. */
  record Move(int kind, List<Edit> edits, int failAfter, int hangAfter) {}

  @Provide
  Arbitrary<List<Move>> programs() {
    Arbitrary<Edit> edits = Edit.arbitrary();
    return Combinators.combine(
            Arbitraries.integers().between(0, 6),
            edits.list().ofMinSize(1).ofMaxSize(5),
            Arbitraries.integers().between(-6, 8),
            Arbitraries.integers().between(-12, 8))
        .as(Move::new)
        .list()
        .ofMaxSize(8);
  }

  @Property(tries = 400)
  @Label("Reverted is unchanged; after a resync what is there is what is wanted and possible")
  void random(@ForAll("programs") List<Move> program) {
    Engine engine = engine(new SouthBound());
    TreeMap<String, String[]> wanted = new TreeMap<>();
    for (Move move : program) {
      Map<String, String> before = engine.outside.state();
      engine.outside.failAfter = Math.max(-1, move.failAfter());
      engine.hangAfter = Math.max(-1, move.hangAfter());
      switch (move.kind()) {
        case 0, 1 -> update(engine, move, wanted);
        case 2, 3 -> reverting(engine, move, wanted, before);
        case 4 -> drift(engine, move, true);
        case 5 -> engine.full(Edit.all(wanted));
        default -> {
          engine = engine(engine.outside);
          engine.hangAfter = Math.max(-1, move.hangAfter());
          engine.full(Edit.all(wanted));
        }
      }
      engine.outside.failAfter = -1;
      engine.hangAfter = -1;
      believes(engine);
      boolean hung = !engine.hung.isEmpty();
      if (hung) {
        engine.downstream();
        believes(engine);
        var unused = engine.returns();
        believes(engine);
      }
      if (move.kind() != 4
          && !hung) { // what has drifted, and cannot be removed, may lack something
        nothingLacks(engine);
      }
      engine.downstream();
      believes(engine);
      assertEquals(possible(wanted), engine.outside.state(), "after a downstream resync");
    }
    assertEquals(List.of(), engine.upstream(Edit.all(wanted)).failures());
    assertEquals(possible(wanted), engine.outside.state(), "after an upstream resync");
  }

  @Property(tries = 400)
  @Label("TX-63 A plan is what is then done when nothing fails, and changes nothing by itself")
  void plans(@ForAll("programs") List<Move> program) {
    Engine engine = engine(new SouthBound());
    TreeMap<String, String[]> wanted = new TreeMap<>();
    for (Move move : program) {
      EventMethod method =
          switch (move.kind()) {
            case 4 -> EventMethod.DOWNSTREAM_RESYNC;
            case 5 -> EventMethod.FULL_RESYNC;
            case 6 -> EventMethod.UPSTREAM_RESYNC;
            default -> EventMethod.UPDATE;
          };
      boolean revert = move.kind() == 2 || move.kind() == 3;
      if (move.kind() == 4) {
        drift(engine, move, false);
      } else {
        wish(move, wanted);
      }
      TxnEntry[] entries =
          method == EventMethod.UPDATE
              ? entries(move)
              : method == EventMethod.DOWNSTREAM_RESYNC ? new TxnEntry[0] : Edit.all(wanted);
      Map<String, String> outside = engine.outside.state();
      List<String> believed = everything(engine);
      TransactionResult plan = engine.dry(method, revert, entries);
      assertEquals(outside, engine.outside.state(), "a plan calls nothing");
      assertEquals(believed, everything(engine), "a plan changes nothing");

      engine.outside.failAfter = Math.max(-1, move.failAfter());
      engine.hangAfter = Math.max(-1, move.hangAfter());
      TransactionResult result = engine.run(engine.core.begin(engine.txn(method, revert, entries)));
      engine.outside.failAfter = -1;
      engine.hangAfter = -1;
      if (result.failures().isEmpty()) {
        assertEquals(Engine.ops(result), Engine.ops(plan));
        assertEquals(result.operations(), plan.operations());
        assertEquals(result.steps(), plan.steps());
        assertEquals(List.of(), plan.failures());
      }
      if (!engine.hung.isEmpty()) {
        var unused = engine.returns();
      }
    }
  }

  private static List<String> everything(Engine engine) {
    List<String> all = new ArrayList<>();
    ValueReader values = engine.core.values();
    values.statuses("").forEach(status -> all.add(status.toString()));
    for (String letter : List.of("a", "b")) {
      values
          .allApplied(Val.type(letter))
          .forEach(
              v ->
                  all.add(
                      v + " " + values.desired(v.key()) + values.metadata(v.key(), Integer.class)));
    }
    all.add(engine.core.dirty().toString());
    return all;
  }

  private static void update(Engine engine, Move move, Map<String, String[]> wanted) {
    TransactionResult result = engine.update(entries(move));
    assertEquals(result.failures().isEmpty(), result.outcome() == TransactionOutcome.APPLIED);
    wish(move, wanted);
    if (result.failures().isEmpty()) {
      assertEquals(possible(wanted), engine.outside.state(), "after an update");
    }
  }

  private static void reverting(
      Engine engine, Move move, Map<String, String[]> wanted, Map<String, String> before) {
    TransactionResult result = engine.reverting(entries(move));
    if (result.outcome() == TransactionOutcome.APPLIED) {
      wish(move, wanted);
      assertEquals(possible(wanted), engine.outside.state(), "after a transaction that reverts");
    } else if (result.outcome() == TransactionOutcome.UNFINISHED) {
      Edit.take(engine, wanted); // as far as it got
    } else {
      assertEquals(TransactionOutcome.REVERTED, result.outcome());
      assertEquals(before, engine.outside.state(), "after a revert");
    }
  }

  /** Something changes by itself, and a repair meets a fault. */
  private static void drift(Engine engine, Move move, boolean repaired) {
    move.edits().forEach(edit -> edit.drift(engine.outside));
    if (repaired) {
      var unused = engine.downstream();
    }
  }

  private static TxnEntry[] entries(Move move) {
    return move.edits().stream().map(Edit::entry).toArray(TxnEntry[]::new);
  }

  private static void wish(Move move, Map<String, String[]> wanted) {
    move.edits().forEach(edit -> edit.wish(wanted));
  }

  /** What the engine believes is what is there. */
  private static void believes(Engine engine) {
    TreeSet<String> believed = new TreeSet<>();
    for (String letter : List.of("a", "b")) {
      engine
          .core
          .values()
          .allApplied(Val.type(letter))
          .forEach(value -> believed.add(value.key().path().substring(1)));
    }
    assertEquals(engine.outside.state().keySet(), believed);
  }

  private static void nothingLacks(Engine engine) {
    Set<String> there = engine.outside.state().keySet();
    for (String path : there) {
      boolean wanted = engine.core.values().desired(Val.key(path)).isPresent();
      // what was to go and would not may lack what went before it
      assertTrue(!wanted || ready(path, there), () -> path + " lacks something");
    }
  }

  private static Engine engine(SouthBound south) {
    return new Engine(
        south,
        outside -> {
          MockDescriptor a = new MockDescriptor("a", outside).recreates("a/3");
          MockDescriptor b = new MockDescriptor("b", outside).recreates("b/0").recreates("b/1/z");
          for (MockDescriptor descriptor : List.of(a, b)) {
            descriptor.everyNeeds = (key, value) -> needs(key.path().substring(1));
          }
          return List.of(a, b);
        });
  }

  private static List<Dependency> needs(String path) {
    List<Dependency> needs = new ArrayList<>();
    for (String key : NEEDS.getOrDefault(path, List.of())) {
      needs.add(new Dependency.On(key, "/" + key));
    }
    if (path.equals("b/2")) {
      needs.add(new Dependency.AnyOf("any", List.of("/a/1", "/a/3"), p -> !p.endsWith("/y")));
    }
    return needs;
  }

  // ---- the oracle ------------------------------------------------------------------------------

  private static boolean ready(String path, Set<String> there) {
    for (Dependency need : needs(path)) {
      if (there.stream().noneMatch(p -> Graph.targets(need, "/" + p))) {
        return false;
      }
    }
    return true;
  }

  /** Starts with everything that is wanted, and strikes out what lacks something. */
  private static Map<String, String> possible(Map<String, String[]> wanted) {
    TreeMap<String, String> there = Edit.laidOut(wanted);
    boolean changed = true;
    while (changed) {
      changed =
          there
              .keySet()
              .removeIf(
                  path ->
                      !ready(path, new TreeSet<>(there.keySet()))
                          || (path.split("/").length == 3
                              && !there.containsKey(path.substring(0, path.lastIndexOf('/')))));
    }
    return there;
  }
}
