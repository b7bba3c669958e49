package dev.evenkeel.txn.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.txn.TxnEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * The engine beside the reference model {@link NaiveEngine}: random descriptors, random programs
 * with updates, resyncs, drift, failures and hangs.
 */
class NaiveEngineTest {
  /** What can need something, and be needed: base values and their items. */
  private static final List<String> ALL = all();

  private static List<String> all() {
    List<String> all = new ArrayList<>();
    for (String base : Edit.PATHS) {
      all.add(base);
      all.add(base + "/x");
      all.add(base + "/y");
      all.add(base + "/z");
    }
    return all;
  }

  /** From one value to another, or to any below the other's kind. */
  record Edge(int from, int to, int kind) {
    NaiveEngine.Need need() {
      String target = ALL.get(to);
      boolean anyOf = kind == 0;
      String item = kind == 1 && from % 4 == 0 ? "y" : "";
      return new NaiveEngine.Need(anyOf ? target.substring(0, 2) : target, anyOf, item);
    }
  }

  enum Kind {
    UPDATE,
    REVERTING,
    UPSTREAM,
    FULL,
    DOWNSTREAM,
    DRIFT_AND_FULL,
    DRIFT_AND_DOWNSTREAM,
    RESTART
  }

  /** One transaction; one call of it fails or hangs, or none. */
  record Move(Kind kind, List<Edit> edits, int failAfter, int hangAfter) {}

  @Provide
  Arbitrary<NaiveEngine.Model> models() {
    Arbitrary<Edge> edges =
        Combinators.combine(
                Arbitraries.integers().between(0, ALL.size() - 1),
                Arbitraries.integers().between(0, ALL.size() - 1),
                Arbitraries.integers().between(0, 5))
            .as(Edge::new);
    return Combinators.combine(
            edges.list().ofMaxSize(10),
            Arbitraries.of(ALL).set().ofMaxSize(5),
            Arbitraries.of("a", "b").set().ofMaxSize(1))
        .as(
            (list, recreates, noUpdater) -> {
              Map<String, List<NaiveEngine.Need>> needs = new HashMap<>();
              for (Edge edge : list) {
                String from = ALL.get(edge.from());
                List<NaiveEngine.Need> some = needs.computeIfAbsent(from, key -> new ArrayList<>());
                // which of several needs an any-of dependent goes with is the engine's choice
                boolean alone =
                    some.isEmpty()
                        || (!edge.need().anyOf() && some.stream().noneMatch(n -> n.anyOf()));
                if (alone && !edge.need().targets(from) && !some.contains(edge.need())) {
                  some.add(edge.need());
                  if (upholdsItself(needs)) {
                    some.remove(edge.need());
                  }
                }
              }
              return new NaiveEngine.Model(needs, recreates, noUpdater);
            });
  }

  /**
   * Whether an item needs itself, over its base or others: once there it would stay, though it
   * could never come. What is possible would depend on what was.
   */
  private static boolean upholdsItself(Map<String, List<NaiveEngine.Need>> needs) {
    for (String item : ALL) {
      if (item.split("/").length == 3) {
        Set<String> reached = new TreeSet<>();
        List<String> open = new ArrayList<>(List.of(item));
        while (!open.isEmpty()) {
          String path = open.remove(0);
          List<String> next = new ArrayList<>();
          if (path.split("/").length == 3) {
            next.add(path.substring(0, path.lastIndexOf('/')));
          }
          for (NaiveEngine.Need need : needs.getOrDefault(path, List.of())) {
            ALL.stream().filter(need::targets).forEach(next::add);
          }
          next.stream().filter(reached::add).forEach(open::add);
        }
        if (reached.contains(item)) {
          return true;
        }
      }
    }
    return false;
  }

  @Provide
  Arbitrary<List<Move>> programs() {
    Arbitrary<Edit> edits = Edit.arbitrary();
    return Combinators.combine(
            Arbitraries.of(Kind.class),
            edits.list().ofMinSize(1).ofMaxSize(6),
            Arbitraries.integers().between(-12, 8),
            Arbitraries.integers().between(-20, 8))
        .as(Move::new)
        .list()
        .ofMaxSize(10);
  }

  @Property(tries = 1500)
  @Label("Engine and reference model agree on operations, calls, states and what is there")
  void agree(@ForAll("models") NaiveEngine.Model model, @ForAll("programs") List<Move> program) {
    new Run(model).play(program);
  }

  private static final class Run {
    private final NaiveEngine.Model model;
    private NaiveEngine naive;
    private Engine engine;
    private final TreeMap<String, String[]> wanted = new TreeMap<>();

    Run(NaiveEngine.Model model) {
      this.model = model;
      naive = new NaiveEngine(model, Map.of());
      engine = engine(new SouthBound());
    }

    private Engine engine(SouthBound south) {
      return new Engine(
          south,
          outside -> {
            MockDescriptor a = new MockDescriptor("a", outside);
            MockDescriptor b = new MockDescriptor("b", outside);
            for (MockDescriptor one : List.of(a, b)) {
              one.updates = !model.noUpdater().contains(one == a ? "a" : "b");
              model.recreates().forEach(one::recreates);
              one.everyNeeds =
                  (key, value) ->
                      model.needs(key.path().substring(1), value).stream()
                          .map(Run::dependency)
                          .toList();
            }
            return List.of(a, b);
          });
    }

    private static Dependency dependency(NaiveEngine.Need need) {
      return need.anyOf()
          ? new Dependency.AnyOf("any " + need, List.of("/" + need.target()), path -> true)
          : new Dependency.On(need.toString(), "/" + need.target());
    }

    void play(List<Move> program) {
      for (Move move : program) {
        Map<String, String> there = engine.outside.state();
        Map<String, String> before = states();
        List<TxnEntry> entries = move.edits().stream().map(Edit::entry).toList();
        List<NaiveEngine.Wish> wishes = move.edits().stream().map(Run::wish).toList();
        prepare(move);
        TransactionResult plan =
            engine.dry(method(move), move.kind() == Kind.REVERTING, entries(move, entries));
        engine.outside.takeCalls();
        engine.outside.failAfter = Math.max(-1, move.failAfter());
        engine.hangAfter = Math.max(-1, move.hangAfter());
        TransactionResult result =
            engine.run(
                engine.core.begin(
                    engine.txn(
                        method(move), move.kind() == Kind.REVERTING, entries(move, entries))));
        engine.outside.failAfter = -1;
        engine.hangAfter = -1;
        if (result.failures().isEmpty()) {
          wish(move);
          assertEquals(TransactionOutcome.APPLIED, result.outcome());
          List<String> expected = onModel(move, wishes);
          assertEquals(expected, Engine.ops(result), () -> "operations of " + move);
          assertEquals(result.operations(), plan.operations(), () -> "plan of " + move);
          assertEquals(naive.calls, changes(), "calls");
          agree("after " + move);
        } else if (result.outcome() == TransactionOutcome.REVERTED) {
          assertEquals(there, engine.outside.state(), "reverted is as it was");
          assertEquals(before, states(), "reverted is as it was");
        } else {
          if (move.kind() != Kind.REVERTING || result.outcome() != TransactionOutcome.UNFINISHED) {
            wish(move);
          } else {
            Edit.take(engine, wanted); // as far as it got
          }
          repair();
        }
        naive.calls.clear();
        engine.outside.takeCalls();
      }
    }

    /** What the outside does by itself, and a restart. */
    private void prepare(Move move) {
      if (move.kind() == Kind.RESTART) {
        engine = engine(engine.outside);
        naive = new NaiveEngine(model, engine.outside.state());
      } else if (move.kind() == Kind.DRIFT_AND_FULL || move.kind() == Kind.DRIFT_AND_DOWNSTREAM) {
        move.edits().forEach(edit -> edit.drift(engine.outside));
        naive.outside.clear();
        naive.outside.putAll(engine.outside.state());
      }
    }

    private static EventMethod method(Move move) {
      return switch (move.kind()) {
        case UPDATE, REVERTING -> EventMethod.UPDATE;
        case UPSTREAM -> EventMethod.UPSTREAM_RESYNC;
        case FULL, DRIFT_AND_FULL, RESTART -> EventMethod.FULL_RESYNC;
        case DOWNSTREAM, DRIFT_AND_DOWNSTREAM -> EventMethod.DOWNSTREAM_RESYNC;
      };
    }

    private TxnEntry[] entries(Move move, List<TxnEntry> edits) {
      return switch (method(move)) {
        case UPDATE -> edits.toArray(TxnEntry[]::new);
        case DOWNSTREAM_RESYNC -> new TxnEntry[0];
        default -> Edit.all(wanted);
      };
    }

    private void wish(Move move) {
      if (method(move) == EventMethod.UPDATE) {
        move.edits().forEach(edit -> edit.wish(wanted));
      }
    }

    private static NaiveEngine.Wish wish(Edit edit) {
      return new NaiveEngine.Wish(edit.key(), edit.deletes() ? null : Val.list(edit.list()), false);
    }

    private List<String> onModel(Move move, List<NaiveEngine.Wish> wishes) {
      List<NaiveEngine.Wish> puts = new ArrayList<>();
      wanted.forEach((path, items) -> puts.add(new NaiveEngine.Wish(path, Val.list(items), false)));
      return switch (method(move)) {
        case UPDATE -> naive.update(wishes);
        case UPSTREAM_RESYNC -> naive.resync(puts, false);
        case FULL_RESYNC -> naive.resync(puts, true);
        case DOWNSTREAM_RESYNC -> naive.downstream();
      };
    }

    /** After a failure or a hang: a resync brings about all that is wanted and possible. */
    private void repair() {
      if (!engine.hung.isEmpty()) {
        var unused = engine.returns();
      }
      TransactionResult repaired = engine.downstream();
      assertEquals(List.of(), repaired.failures());
      naive = NaiveEngine.settled(model, wanted, possible());
      agree("repaired");
    }

    private void agree(String when) {
      assertEquals(naive.outside, engine.outside.state(), () -> "what is there " + when);
      assertEquals(naive.states(), states(), () -> "states " + when);
    }

    private Map<String, String> states() {
      TreeMap<String, String> states = new TreeMap<>();
      for (ValueStatus status : engine.core.values().statuses("/")) {
        states.put(status.key().substring(1), Engine.letters(status.state()));
        status.derived().forEach(d -> states.put(d.key().substring(1), Engine.letters(d.state())));
      }
      return states;
    }

    private List<String> changes() {
      return engine.outside.calls.stream()
          .filter(call -> !call.startsWith("retrieve"))
          .collect(Collectors.toList());
    }

    /** Starts with all that is wanted, and strikes out what lacks something. */
    private Map<String, String> possible() {
      TreeMap<String, String> there = Edit.laidOut(wanted);
      boolean changed = true;
      while (changed) {
        Set<String> now = new TreeSet<>(there.keySet());
        changed = there.keySet().removeIf(path -> !canBe(path, now));
      }
      return there;
    }

    private boolean canBe(String path, Set<String> now) {
      boolean item = path.split("/").length == 3;
      if (item && !now.contains(path.substring(0, path.lastIndexOf('/')))) {
        return false;
      }
      String[] items = wanted.get(path);
      Val value = items == null ? new Val.S("") : Val.list(items);
      return model.needs(path, value).stream()
          .allMatch(need -> now.stream().anyMatch(need::targets));
    }
  }

  @Property(tries = 20)
  @Label("The reference model does something: programs leave values there")
  void modelIsAlive(@ForAll("models") NaiveEngine.Model model) {
    NaiveEngine naive = new NaiveEngine(model, Map.of());
    List<NaiveEngine.Wish> wishes = new ArrayList<>();
    for (String path : Edit.PATHS) {
      wishes.add(new NaiveEngine.Wish(path, Val.list("x", "y", "z=1"), false));
    }
    assertTrue(naive.update(wishes).size() >= Edit.PATHS.length);
  }
}
