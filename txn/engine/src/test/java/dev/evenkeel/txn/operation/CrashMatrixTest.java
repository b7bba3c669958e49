package dev.evenkeel.txn.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.txn.TransactionOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A crash before or after every single effect, on store and backend, then another one in every
 * place of the resume; then repeats until it is done (operations reference, G1 and G2).
 */
@DisplayName("An operation that crashes anywhere")
class CrashMatrixTest {
  private static final VolumeEvent CREATE = VolumeEvent.create("n", "A");
  private static final VolumeEvent OTHER = VolumeEvent.create("n", "B");
  private static final VolumeEvent DELETE = VolumeEvent.delete("n");
  private static final VolumeEvent EXPAND = VolumeEvent.expand("n");

  /** Runs it with a crash at one effect; whether the crash came. */
  private static boolean crashes(Rig rig, VolumeEvent event, int at, boolean after) {
    rig.faults.arm(at, after, true);
    try {
      var unused = rig.run(event);
      return false;
    } catch (Faults.Crash died) {
      return true;
    } finally {
      rig.restart();
    }
  }

  /** Crashes the first event, then the second one, everywhere; then repeats the second one. */
  private static int matrix(
      boolean batches, Consumer<Rig> setup, VolumeEvent first, VolumeEvent second, Check check) {
    int cases = 0;
    boolean more = true;
    for (int k = 2; more; k++) {
      more = false;
      boolean inner = true;
      for (int j = 2; inner; j++) {
        Rig rig = new Rig(batches);
        setup.accept(rig);
        boolean crashed = crashes(rig, first, k / 2, k % 2 == 1);
        inner = crashes(rig, second, j / 2, j % 2 == 1);
        Rig.Ended ended = rig.run(second);
        check.check(rig, ended, crashed, first + " " + k + ", " + second + " " + j);
        more |= crashed;
        cases++;
      }
    }
    return cases;
  }

  private interface Check {
    void check(Rig rig, Rig.Ended ended, boolean firstCrashed, String where);
  }

  private static String clean(boolean batches, VolumeEvent... events) {
    Rig rig = new Rig(batches);
    for (VolumeEvent event : events) {
      assertEquals(TransactionOutcome.APPLIED, rig.run(event).outcome());
    }
    return rig.state();
  }

  @ParameterizedTest(name = "OP-21 OP-28 OP-29 create, crash, repeat, crash, repeat; batches: {0}")
  @ValueSource(booleans = {true, false})
  void create(boolean batches) {
    String clean = clean(batches, CREATE);
    int cases =
        matrix(
            batches,
            rig -> {},
            CREATE,
            CREATE,
            (rig, ended, crashed, where) -> {
              assertEquals(TransactionOutcome.APPLIED, ended.outcome(), where);
              assertEquals(clean, rig.state(), where);
              assertEquals(
                  rig.backend.log.size(),
                  rig.backend.log.stream().distinct().count(),
                  where + ": nothing is made twice " + rig.backend.log);
            });
    assertTrue(cases > 30, "cases: " + cases);
  }

  @ParameterizedTest(name = "OP-51 delete, crash, repeat, crash, repeat; batches: {0}")
  @ValueSource(booleans = {true, false})
  void delete(boolean batches) {
    int cases =
        matrix(
            batches,
            rig -> rig.run(CREATE),
            DELETE,
            DELETE,
            (rig, ended, crashed, where) -> {
              assertEquals(TransactionOutcome.APPLIED, ended.outcome(), where);
              assertEquals("", rig.state(), where);
            });
    assertTrue(cases > 20, "cases: " + cases);
  }

  @ParameterizedTest(name = "OP-71 expand, crash, repeat, crash, repeat; batches: {0}")
  @ValueSource(booleans = {true, false})
  void expand(boolean batches) {
    String clean = clean(batches, CREATE, EXPAND);
    int cases =
        matrix(
            batches,
            rig -> rig.run(CREATE),
            EXPAND,
            EXPAND,
            (rig, ended, crashed, where) -> {
              assertEquals(TransactionOutcome.APPLIED, ended.outcome(), where);
              assertEquals(clean, rig.state(), where);
            });
    assertTrue(cases > 5, "cases: " + cases);
  }

  @ParameterizedTest(name = "JT-13 create, crash, another create: undone, then new; batches: {0}")
  @ValueSource(booleans = {true, false})
  void recoverBackward(boolean batches) {
    String cleanFirst = clean(batches, CREATE);
    String cleanOther = clean(batches, OTHER);
    int cases =
        matrix(
            batches,
            rig -> {},
            CREATE,
            OTHER,
            (rig, ended, crashed, where) -> {
              if (ended.outcome() == TransactionOutcome.REJECTED) {
                assertEquals(ErrorKind.ALREADY_EXISTS, ended.kind(), where);
                assertEquals(TransactionOutcome.APPLIED, rig.run(CREATE).outcome(), where);
                assertEquals(cleanFirst, rig.state(), where);
              } else {
                assertEquals(TransactionOutcome.APPLIED, ended.outcome(), where);
                assertEquals(cleanOther, rig.state(), where);
              }
            });
    assertTrue(cases > 50, "cases: " + cases);
  }

  @ParameterizedTest(name = "JT-13 create, crash, delete: nothing is left; batches: {0}")
  @ValueSource(booleans = {true, false})
  void supersede(boolean batches) {
    int cases =
        matrix(
            batches,
            rig -> {},
            CREATE,
            DELETE,
            (rig, ended, crashed, where) -> {
              assertEquals(TransactionOutcome.APPLIED, ended.outcome(), where);
              assertEquals("", rig.state(), where);
            });
    assertTrue(cases > 20, "cases: " + cases);
  }

  @ParameterizedTest(name = "delete, crash, create: completed first, then new; batches: {0}")
  @ValueSource(booleans = {true, false})
  void recoverForward(boolean batches) {
    String clean = clean(batches, OTHER);
    int cases =
        matrix(
            batches,
            rig -> rig.run(CREATE),
            DELETE,
            OTHER,
            (rig, ended, crashed, where) -> {
              if (ended.outcome() == TransactionOutcome.REJECTED) {
                assertEquals(ErrorKind.ALREADY_EXISTS, ended.kind(), where);
                assertEquals(clean(batches, CREATE), rig.state(), where);
              } else {
                assertEquals(TransactionOutcome.APPLIED, ended.outcome(), where);
                assertEquals(clean, rig.state(), where);
              }
            });
    assertTrue(cases > 40, "cases: " + cases);
  }

  @ParameterizedTest(name = "a create that fails at its last step, crash, repeat; batches: {0}")
  @ValueSource(booleans = {true, false})
  void failing(boolean batches) {
    int cases =
        matrix(
            batches,
            rig -> rig.backend.refuses = "meta",
            CREATE,
            CREATE,
            (rig, ended, crashed, where) -> {
              assertEquals(TransactionOutcome.REVERTED, ended.outcome(), where);
              assertEquals("", rig.state(), where);
            });
    assertTrue(cases > 50, "cases: " + cases);
  }

  @ParameterizedTest(name = "J3 a create that fails, crash in its undo, delete; batches: {0}")
  @ValueSource(booleans = {true, false})
  void failingThenDelete(boolean batches) {
    int cases =
        matrix(
            batches,
            rig -> rig.backend.refuses = "meta",
            CREATE,
            DELETE,
            (rig, ended, crashed, where) -> {
              assertEquals(TransactionOutcome.APPLIED, ended.outcome(), where);
              assertEquals("", rig.state(), where);
            });
    assertTrue(cases > 30, "cases: " + cases);
  }

  @ParameterizedTest(name = "OP-95 random operations, faults and crashes; batches: {0}")
  @ValueSource(booleans = {true, false})
  void random(boolean batches) {
    random(batches, 1, 3);
  }

  @Tag("long")
  @ParameterizedTest(name = "OP-95 the same with many seeds; batches: {0}")
  @ValueSource(booleans = {true, false})
  void manyRandom(boolean batches) {
    random(batches, 4, 60);
  }

  private static void random(boolean batches, int from, int to) {
    for (int seed = from; seed <= to; seed++) {
      Random random = new Random(seed);
      Rig rig = new Rig(batches);
      List<String> trace = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        VolumeEvent event = any(random);
        trace.add(event.toString());
        broken(rig, event, random);
        if (random.nextBoolean()) {
          calm(rig, event);
        }
      }
      for (int v = 0; v < 20; v++) {
        calm(rig, VolumeEvent.delete("v" + v));
      }
      assertEquals("", rig.state(), "seed " + seed + " " + trace);
      assertTrue(rig.core.pending().isEmpty());
    }
  }

  private static VolumeEvent any(Random random) {
    String name = "v" + random.nextInt(20);
    return switch (random.nextInt(5)) {
      case 0, 1 -> VolumeEvent.create(name, "A");
      case 2 -> VolumeEvent.create(name, "B");
      case 3 -> VolumeEvent.expand(name);
      default -> VolumeEvent.delete(name);
    };
  }

  private static void broken(Rig rig, VolumeEvent event, Random random) {
    boolean crash = random.nextBoolean();
    rig.faults.arm(1 + random.nextInt(12), random.nextBoolean(), crash);
    try {
      var unused = rig.run(event);
    } catch (Faults.Crash died) {
      rig.restart();
    }
    rig.faults.disarm();
  }

  /** Without faults every request comes to an end that says something. */
  private static void calm(Rig rig, VolumeEvent event) {
    Rig.Ended ended = rig.run(event);
    boolean told =
        ended.outcome() == TransactionOutcome.APPLIED
            || ended.kind() == ErrorKind.ALREADY_EXISTS
            || ended.kind() == ErrorKind.NOT_FOUND;
    assertTrue(told, event + ": " + ended);
  }

  @Test
  @DisplayName("OP-19 the matrix sees a crash: without a repeat the state is not clean")
  void canFail() {
    Rig rig = new Rig(true);
    assertTrue(crashes(rig, CREATE, 2, true));
    assertTrue(!rig.state().equals(clean(true, CREATE)));
  }
}
