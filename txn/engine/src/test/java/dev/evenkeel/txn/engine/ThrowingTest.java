package dev.evenkeel.txn.engine;

import static dev.evenkeel.txn.engine.Engine.delete;
import static dev.evenkeel.txn.engine.Engine.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.InvalidField;
import dev.evenkeel.api.txn.Retriever;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.Updater;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of descriptors that are asked on the loop thread, and throw. */
class ThrowingTest {
  /** The mock, one of whose pure functions throws while it is told to. */
  private static final class Throwing implements Descriptor<Val, Integer> {
    final MockDescriptor mock;
    String what = "";

    Throwing(SouthBound outside) {
      mock = new MockDescriptor("a", outside).recreates("a/2");
    }

    private void asked(String function) {
      if (function.equals(what)) {
        throw new AssertionError("no " + function);
      }
    }

    @Override
    public String name() {
      return mock.name();
    }

    @Override
    public KeyType<Val> type() {
      return mock.type();
    }

    @Override
    public Optional<Duration> limit() {
      asked("limit");
      return Optional.empty();
    }

    @Override
    public boolean same(Key<Val> key, Val a, Val b) {
      asked("same");
      return mock.same(key, a, b);
    }

    @Override
    public List<InvalidField> validate(Key<Val> key, Val value) {
      asked("validate");
      return mock.validate(key, value);
    }

    @Override
    public List<KeyedValue<?>> derived(Key<Val> key, Val value) {
      asked("derived");
      return mock.derived(key, value);
    }

    @Override
    public List<Dependency> dependencies(Key<Val> key, Val value) {
      asked("dependencies");
      if (key.path().equals("/a/3")) {
        return List.of(
            new Dependency.AnyOf(
                "any",
                List.of("/a/1"),
                path -> {
                  asked("filter");
                  return true;
                }));
      }
      return mock.dependencies(key, value);
    }

    @Override
    public SortedMap<String, List<String>> index(Key<Val> key, Integer metadata) {
      asked("index");
      return mock.index(key, metadata);
    }

    @Override
    public Integer create(Key<Val> key, Val value, StepContext context) throws Exception {
      return mock.create(key, value, context);
    }

    @Override
    public void delete(Key<Val> key, Val value, Integer metadata, StepContext context)
        throws Exception {
      mock.delete(key, value, metadata, context);
    }

    @Override
    public Optional<Updater<Val, Integer>> updater() {
      asked("updater");
      Updater<Val, Integer> updater = mock.updater().orElseThrow();
      return Optional.of(
          new Updater<>() {
            @Override
            public Integer update(
                Key<Val> key, Val before, Val now, Integer metadata, StepContext context)
                throws Exception {
              return updater.update(key, before, now, metadata, context);
            }

            @Override
            public boolean recreates(Key<Val> key, Val before, Val now, Integer metadata) {
              asked("recreates");
              return updater.recreates(key, before, now, metadata);
            }
          });
    }

    @Override
    public Optional<Retriever<Val, Integer>> retriever() {
      asked("retriever");
      return mock.retriever();
    }
  }

  private final SouthBound outside = new SouthBound();
  private final Throwing throwing = new Throwing(outside);
  private final Engine engine =
      new Engine(outside, out -> List.of(throwing, new MockDescriptor("b", out)));

  ThrowingTest() {
    engine.full(put("a/1", "i1"), put("a/2", "i1"), put("a/3", "i1"), put("b/1", "i1"));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "same",
        "validate",
        "derived",
        "dependencies",
        "index",
        "filter",
        "recreates",
        "updater",
        "retriever",
        "limit"
      })
  @DisplayName("what a descriptor throws on the loop thread wedges nothing: afterwards all is well")
  void everyTransaction(String what) {
    throwing.what = what;
    engine.update(put("a/1", "i2"), put("a/2", "i2"), delete("a/3"), put("a/4", "i1"));
    engine.full(put("a/1", "i3"), put("a/2", "i3"), put("a/3", "i3"));
    engine.downstream();
    engine.says("a/5", "i1");
    engine.saysGone("a/5");
    throwing.what = "";

    TransactionResult result =
        engine.full(put("a/1", "i1"), put("a/2", "i2"), put("a/3", "i3"), put("b/1", "i1"));

    assertEquals(TransactionOutcome.APPLIED, result.outcome(), result::toString);
    assertEquals(
        List.of("/a/1", "/a/1/i1", "/a/2", "/a/2/i2", "/a/3", "/a/3/i3", "/b/1", "/b/1/i1"),
        List.copyOf(outside.things.keySet()));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {"same", "validate", "derived", "dependencies", "recreates", "updater", "limit"})
  @DisplayName("a transaction that reverts because of it leaves the outside as it was")
  void reverting(String what) {
    Map<String, String> before = engine.outside.state();
    throwing.what = what;

    TransactionResult result = engine.reverting(put("b/1", "i2"), put("b/2"), put("a/2", "i2"));

    throwing.what = "";
    assertTrue(
        result.outcome() == TransactionOutcome.REVERTED
            || result.outcome() == TransactionOutcome.REVERT_INCOMPLETE,
        result::toString);
    assertFalse(result.failures().isEmpty());
    engine.full(put("a/1", "i1"), put("a/2", "i1"), put("a/3", "i1"), put("b/1", "i1"));
    assertEquals(before.keySet(), engine.outside.state().keySet());
  }

  @Test
  @DisplayName("a value whose filter throws is pending, and applied when it does not any more")
  void filter() {
    engine.update(delete("a/3"));
    throwing.what = "filter";
    engine.update(put("a/3", "i1"));
    assertFalse(outside.things.containsKey("/a/3"));
    throwing.what = "";
    engine.update(put("a/3", "i1"));
    assertTrue(outside.things.containsKey("/a/3"));
  }
}
