package dev.evenkeel.txn.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.CommitOptions;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.InvalidField;
import dev.evenkeel.api.txn.NoMetadata;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.ReentrantCallException;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.TransactionEngine;
import dev.evenkeel.api.txn.TransactionEngine.Commit;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.txn.engine.EngineSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MailboxTest {
  /** What a create does before it has succeeded. */
  private interface Create {
    void run(String name, StepContext context) throws Exception;
  }

  private final HandClock clock = new HandClock();
  private final List<String> made = Collections.synchronizedList(new ArrayList<>());
  private volatile Create create = (name, context) -> {};
  private volatile boolean inline;
  private final TransactionEngine engine =
      TransactionEngines.builder("box")
          .descriptors(new Texts("texts"))
          .clock(clock)
          .callLimit(Duration.ofSeconds(1))
          .closeLimit(Duration.ofMillis(500))
          .start();

  private final class Texts implements Descriptor<String, NoMetadata> {
    private final String name;

    Texts(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public KeyType<String> type() {
      return Thing.TYPE;
    }

    @Override
    public List<InvalidField> validate(Key<String> key, String value) {
      return value.equals("bad") ? List.of(new InvalidField("text", "is bad")) : List.of();
    }

    @Override
    public boolean inline() {
      return inline;
    }

    @Override
    public NoMetadata create(Key<String> key, String value, StepContext context) throws Exception {
      String which = ((Thing) key).name();
      create.run(which, context);
      made.add(which);
      return NoMetadata.NONE;
    }

    @Override
    public void delete(Key<String> key, String value, NoMetadata metadata, StepContext context) {
      made.remove(((Thing) key).name());
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Commit put(String name) {
    return put(name, CommitOptions.update("test"), Duration.ZERO);
  }

  private Commit put(String name, CommitOptions options, Duration wait) {
    try {
      return engine.commit(options, txn -> txn.put(new Thing(name), "v"), wait);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  private static TransactionResult result(Commit commit) {
    return value(commit.result());
  }

  private static <T> T value(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException failed) {
      throw new AssertionError(failed);
    }
  }

  private static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "it never became true");
      Thread.onSpinWait();
    }
  }

  private static ValueState state(TransactionEngine engine, String name) {
    return engine.values().status(new Thing(name)).state();
  }

  /** Makes the next create wait; gives what lets it go on, once it has begun. */
  private CountDownLatch stuck(String name) {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    create =
        (which, context) -> {
          if (which.equals(name)) {
            begun.countDown();
            while (go.getCount() > 0) {
              try {
                go.await();
              } catch (InterruptedException ignored) {
                if (engineCloses) {
                  throw ignored;
                }
              }
            }
          }
        };
    Commit unused = put(name);
    try {
      assertTrue(begun.await(20, TimeUnit.SECONDS));
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    return go;
  }

  private volatile boolean engineCloses = true;

  @Test
  @DisplayName("TW-11, TW-12 A commit has its number and its result, whether anybody waits or not")
  void numbers() {
    Commit first = put("a");
    Commit second = put("b");
    assertEquals(0, first.number());
    assertEquals(1, second.number());
    assertEquals(TransactionOutcome.APPLIED, result(second).outcome());
    assertEquals(0, result(first).number());
    assertEquals(1, result(second).number());
    assertEquals(List.of("a", "b"), made);
    assertFalse(first.cancel());
  }

  @Test
  @DisplayName("TX-51 A descriptor that comes late applies what waited; who waits for it is told")
  void late() {
    TransactionEngine other =
        TransactionEngines.builder("late").clock(clock).closeLimit(Duration.ofSeconds(5)).start();
    CompletionStage<Void> arrival = other.whenRegistered(Thing.TYPE.prefix());
    CompletionStage<Void> never = other.whenRegistered("/never/");
    try (other) {
      Commit first = commit(other, "a");
      assertEquals(TransactionOutcome.APPLIED, result(first).outcome());
      assertEquals(ValueState.UNIMPLEMENTED, state(other, "a"));
      assertFalse(arrival.toCompletableFuture().isDone());

      TransactionResult registered = result(other.register(new Texts("texts")));

      assertEquals(1, registered.number());
      assertEquals(1, registered.operations().size());
      value(arrival);
      value(other.whenRegistered(new Thing("a").path()));
      assertEquals(ValueState.CONFIGURED, state(other, "a"));
      assertEquals(List.of(Thing.TYPE.prefix()), other.prefixes());
      TransactionResult twice = result(other.register(new Texts("texts")));
      assertEquals(TransactionOutcome.REJECTED, twice.outcome());
      assertEquals(ErrorKind.INVALID, twice.failures().get(0).kind());
      assertFalse(never.toCompletableFuture().isDone());
    }
    assertThrows(
        ExecutionException.class, () -> never.toCompletableFuture().get(20, TimeUnit.SECONDS));
    assertThrows(
        ExecutionException.class,
        () -> other.whenRegistered("/x/").toCompletableFuture().get(20, TimeUnit.SECONDS));
  }

  @Test
  @DisplayName("TX-56 What is no transaction is rejected without a number; double names at once")
  void initErrors() throws InterruptedException {
    CommitOptions downstream =
        new CommitOptions(EventMethod.DOWNSTREAM_RESYNC, false, Optional.empty(), false, "d");
    Commit rejected = put("a", downstream, Duration.ZERO);
    assertEquals(-1, rejected.number());
    assertEquals(TransactionOutcome.REJECTED, result(rejected).outcome());
    assertEquals(ErrorKind.INVALID, result(rejected).failures().get(0).kind());
    assertThrows(
        IllegalArgumentException.class,
        () -> new CommitOptions(EventMethod.FULL_RESYNC, true, Optional.empty(), false, "r"));
    assertEquals(0, put("a").number());
    assertThrows(
        InvalidInputException.class,
        () ->
            TransactionEngines.builder("two")
                .descriptors(new Texts("one"), new Texts("one"))
                .start());
  }

  @Test
  @DisplayName(
      "TX-57 200 wait behind one that is stuck; the next is refused, after its time if any")
  void full() {
    CountDownLatch go = stuck("stuck");
    List<Commit> waiting = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      waiting.add(put("k" + i));
      assertEquals(i + 1, waiting.get(i).number());
    }
    Commit refused = put("more");
    assertEquals(-1, refused.number());
    assertEquals(ErrorKind.RESOURCE_EXHAUSTED, result(refused).failures().get(0).kind());

    CompletableFuture<Commit> timed = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> timed.complete(put("late", CommitOptions.update("l"), Duration.ofMillis(300))));
    waiter.start();
    until(() -> clock.sleeps(waiter));
    clock.advance(Duration.ofMillis(299));
    assertTrue(waiter.isAlive());
    clock.advance(Duration.ofMillis(1));
    until(() -> timed.isDone());
    assertEquals(TransactionOutcome.REJECTED, result(timed.join()).outcome());

    CompletableFuture<Commit> patient = new CompletableFuture<>();
    Thread second =
        new Thread(
            () ->
                patient.complete(put("patient", CommitOptions.update("p"), Duration.ofMinutes(1))));
    second.start();
    until(() -> clock.sleeps(second));
    go.countDown();
    waiting.forEach(commit -> assertEquals(TransactionOutcome.APPLIED, result(commit).outcome()));
    until(() -> patient.isDone());
    assertEquals(201, result(patient.join()).number());
    assertFalse(made.contains("more") || made.contains("late"));
  }

  @Test
  @DisplayName("TX-58 One that waits can be called off by its handle; one that runs cannot")
  void cancel() {
    CountDownLatch go = stuck("stuck");
    Commit first = put("a");
    Commit second = put("b");
    assertTrue(first.cancel());
    assertFalse(first.cancel());
    assertEquals(TransactionOutcome.CANCELLED, result(first).outcome());
    assertEquals(1, result(first).number());
    go.countDown();
    assertEquals(2, result(second).number());
    assertFalse(second.cancel());
    assertEquals(List.of("stuck", "b"), made);
  }

  @Test
  @DisplayName("TX-58 Who stops waiting has the handle, and the transaction runs")
  void stopWaiting() {
    CountDownLatch go = stuck("stuck");
    Commit commit = put("a");
    assertThrows(
        TimeoutException.class,
        () -> commit.result().toCompletableFuture().get(1, TimeUnit.MILLISECONDS));
    assertTrue(commit.result().toCompletableFuture().cancel(true), "only this caller's future");
    go.countDown();
    assertEquals(TransactionOutcome.APPLIED, result(commit).outcome());
  }

  @Test
  @DisplayName("TX-59, TW-4 Behind a barrier a notification has been processed: 1000 of 1000")
  void barrier() {
    for (int i = 0; i < 1000; i++) {
      TreeMap<Key<?>, Optional<Object>> told = new TreeMap<>();
      told.put(new Thing("n" + i), Optional.of("v"));
      Commit unused = engine.notifyValues(told);
      value(engine.barrier());
      assertEquals(ValueState.OBTAINED, state(engine, "n" + i));
    }
  }

  @Test
  @DisplayName(
      "TX-60, TW-7 A callback sees the committed state; committing and waiting throw at once")
  void reentrant() {
    for (boolean onEngine : new boolean[] {false, true}) {
      inline = onEngine;
      String name = "r" + onEngine;
      List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
      AtomicReference<ValueState> seen = new AtomicReference<>();
      CompletionStage<TransactionResult> own = result2(name, thrown, seen);
      assertEquals(TransactionOutcome.APPLIED, value(own).outcome());
      assertEquals(ValueState.NONEXISTENT, seen.get());
      assertEquals(4, thrown.size());
      thrown.forEach(one -> assertInstanceOf(ReentrantCallException.class, one));
    }
  }

  private CompletionStage<TransactionResult> result2(
      String name, List<Throwable> thrown, AtomicReference<ValueState> seen) {
    CountDownLatch ready = new CountDownLatch(1);
    CompletableFuture<CompletionStage<TransactionResult>> own = new CompletableFuture<>();
    create =
        (which, context) -> {
          ready.await();
          seen.set(state(engine, name));
          thrown.add(assertThrows(IllegalStateException.class, () -> put("inner")));
          thrown.add(assertThrows(IllegalStateException.class, engine::close));
          thrown.add(assertThrows(IllegalStateException.class, engine::barrier));
          thrown.add(
              assertThrows(
                  IllegalStateException.class, () -> own.join().toCompletableFuture().join()));
        };
    own.complete(put(name).result());
    ready.countDown();
    return own.join();
  }

  @Test
  @DisplayName("TX-64 While a create runs, readers are answered, with the state before")
  void readers() {
    CountDownLatch go = stuck("stuck");
    // answered at all: the create goes on only after it
    assertEquals(ValueState.NONEXISTENT, state(engine, "stuck"));
    assertEquals(List.of(), engine.values().statuses("/t/"));
    assertEquals(0, engine.statistics().total());
    TransactionHistory history = engine.transactions().orElseThrow();
    assertEquals(Optional.empty(), history.graphAfter(0));
    assertTrue(history.find(0).orElseThrow().running());
    go.countDown();
    value(engine.barrier());
    assertEquals(ValueState.CONFIGURED, state(engine, "stuck"));
    assertFalse(history.find(0).orElseThrow().running());
  }

  @Test
  @DisplayName(
      "Rules 58, 59: an engine on its own tells what its transactions did, after its end, too")
  void historyOfItsOwn() {
    result(put("a"));
    result(put("b"));
    engine.close();

    TransactionHistory history = engine.transactions().orElseThrow();
    assertEquals(2, history.count());
    assertEquals(
        List.of("/t/b"),
        history.find(1).orElseThrow().executed().stream().map(OperationRecord::key).toList());
    assertEquals(1, history.timeline("/t/a").size());
    try (TransactionEngine without =
        TransactionEngines.builder("without").settings(EngineSettings.defaults()).start()) {
      assertEquals(Optional.empty(), without.transactions());
    }
  }

  @Test
  @DisplayName("TX-65 What a callback throws is a failed operation, an Error too; the engine lives")
  void throwing() {
    create =
        (name, context) -> {
          if (name.equals("a")) {
            throw new AssertionError("E");
          }
          throw new IllegalStateException("E");
        };
    assertEquals(TransactionOutcome.APPLIED_WITH_FAILURES, result(put("a")).outcome());
    assertEquals(TransactionOutcome.APPLIED_WITH_FAILURES, result(put("b")).outcome());
    create = (name, context) -> {};
    assertEquals(TransactionOutcome.APPLIED, result(put("a")).outcome());
  }

  @Test
  @DisplayName(
      "A fatal error ends the engine: what runs and what waits is answered, no thread stays")
  void fatal() {
    for (Error error : List.of(new StackOverflowError("E"), new OutOfMemoryError("E"))) {
      CountDownLatch queued = new CountDownLatch(1);
      create =
          (name, context) -> {
            queued.await();
            throw error;
          };
      TransactionEngine other =
          TransactionEngines.builder("fatal").descriptors(new Texts("t")).clock(clock).start();
      Commit first = commit(other, "a");
      Commit second = commit(other, "b");
      CompletionStage<Void> barrier = other.barrier();
      queued.countDown();
      assertEquals(TransactionOutcome.UNFINISHED, result(first).outcome());
      assertEquals(TransactionOutcome.CANCELLED, result(second).outcome());
      assertThrows(AssertionError.class, () -> value(barrier));
      assertEquals(TransactionOutcome.REJECTED, result(commit(other, "c")).outcome());
      other.close();
      until(() -> threads("fatal").isEmpty());
    }
  }

  private static Commit commit(TransactionEngine other, String name) {
    try {
      return other.commit(
          CommitOptions.update("t"), txn -> txn.put(new Thing(name), "v"), Duration.ZERO);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Test
  @DisplayName(
      "TX-66 A create that exceeds its limit is unfinished; others go on; it is taken late")
  void hanging() {
    engineCloses = false;
    CountDownLatch go = stuck("stuck");
    Commit behind = put("b");
    clock.advance(Duration.ofSeconds(1));
    assertEquals(TransactionOutcome.APPLIED, result(behind).outcome());
    assertEquals(ValueState.FAILED, state(engine, "stuck"));
    assertEquals(
        ErrorKind.BUSY, result(put("stuck")).failures().get(0).kind(), "its key is left alone");
    go.countDown();
    until(() -> state(engine, "stuck") == ValueState.CONFIGURED);
    assertEquals(List.of("b", "stuck"), made);
  }

  @Test
  @DisplayName("TX-39 On the engine's own clock a retry comes when it is due, and takes a number")
  void retries() {
    int[] left = {2};
    create =
        (name, context) -> {
          if (left[0]-- > 0) {
            throw new IllegalStateException("E");
          }
        };
    RetryPolicy policy = new RetryPolicy(Duration.ofMillis(100), 2, Duration.ofMinutes(1), 2, 0);
    CommitOptions options =
        new CommitOptions(EventMethod.UPDATE, false, Optional.of(policy), false, "r");
    List<ValueState> told = Collections.synchronizedList(new ArrayList<>());
    AutoCloseable unused =
        engine.watch(path -> path.equals("/t/a"), status -> told.add(status.state()));
    assertEquals(
        ValueState.RETRYING, result(put("a", options, Duration.ZERO)).operations().get(0).after());
    value(engine.barrier());
    clock.advance(Duration.ofMillis(99));
    value(engine.barrier());
    assertEquals(1, left[0]);
    clock.advance(Duration.ofMillis(1));
    until(() -> left[0] == 0);
    value(engine.barrier());
    assertEquals(ValueState.RETRYING, state(engine, "a"));
    clock.advance(Duration.ofMillis(200));
    until(() -> state(engine, "a") == ValueState.CONFIGURED);
    assertEquals(3, put("b").number());
    until(() -> told.contains(ValueState.CONFIGURED));
    assertEquals(ValueState.RETRYING, told.get(0));
  }

  @Test
  @DisplayName("TX-63 A dry run tells what would be done, and does nothing")
  void dryRun() {
    CommitOptions plan =
        new CommitOptions(EventMethod.UPDATE, false, Optional.empty(), true, "plan");
    TransactionResult planned = result(put("a", plan, Duration.ZERO));
    assertEquals(ValueState.CONFIGURED, planned.operations().get(0).after());
    assertEquals(List.of(), made);
    assertEquals(ValueState.NONEXISTENT, state(engine, "a"));
  }

  @Test
  @DisplayName("TX-68 Validation alone tells what is wrong, and applies nothing")
  void validate() {
    List<ValueStatus> wrong =
        engine.validate(
            txn -> {
              txn.put(new Thing("b"), "bad");
              txn.put(new Thing("a"), "v");
            });
    assertEquals(List.of("/t/b"), wrong.stream().map(ValueStatus::key).toList());
    assertEquals(ValueState.INVALID, wrong.get(0).state());
    assertEquals(List.of("text"), wrong.get(0).details());
    assertEquals(List.of(), made);
  }

  @Test
  @DisplayName("Closing refuses, lets end what runs, cancels what waits, and leaves no thread")
  void closing() throws InterruptedException {
    CountDownLatch go = stuck("stuck");
    Commit waiting = put("a");
    CompletionStage<Void> barrier = engine.barrier();
    Thread closer = new Thread(engine::close);
    closer.start();
    assertEquals(TransactionOutcome.CANCELLED, result(waiting).outcome());
    assertEquals(1, result(waiting).number());
    assertThrows(AssertionError.class, () -> value(barrier));
    assertEquals(TransactionOutcome.REJECTED, result(put("b")).outcome());
    assertThrows(AssertionError.class, () -> value(engine.barrier()));
    go.countDown();
    closer.join();
    engine.close();
    assertEquals(ValueState.CONFIGURED, state(engine, "stuck"));
    until(() -> threads("box").isEmpty());
  }

  @Test
  @DisplayName("Closing gives up a call that does not return, and interrupts it")
  void closingHung() {
    CountDownLatch unused = stuck("stuck");
    engine.close();
    until(() -> threads("box").isEmpty());
  }

  @Test
  @DisplayName("What depends on a result holds up nothing, and may commit")
  void continuations() {
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch depended = new CountDownLatch(1);
    create =
        (name, context) -> {
          if (name.equals("a")) {
            depended.await();
          }
        };
    CompletionStage<Commit> next =
        put("a")
            .result()
            .thenApply(
                first -> {
                  try {
                    go.await();
                  } catch (InterruptedException interrupted) {
                    throw new AssertionError(interrupted);
                  }
                  return put("c");
                });
    depended.countDown(); // had it completed before, what depends on it would run here
    Commit unused = put("b");
    until(() -> made.contains("b"));
    go.countDown();
    assertEquals(TransactionOutcome.APPLIED, result(value(next)).outcome());
  }

  private static List<String> threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .map(Thread::getName)
        .filter(thread -> thread.startsWith(name + "-"))
        .toList();
  }
}
