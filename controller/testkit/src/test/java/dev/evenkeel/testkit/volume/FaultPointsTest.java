package dev.evenkeel.testkit.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.testkit.volume.FaultPoints.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Fault points")
class FaultPointsTest {
  private final FaultPoints faults = new FaultPoints();
  private final FakeDisk disk = new FakeDisk();
  private final Occupancy occupancy = new Occupancy();
  private final FakeActs acts = new FakeActs(disk, faults, occupancy, new ArrayList<>());
  private final AtomicInteger effects = new AtomicInteger();

  private int ask() throws InterruptedException {
    return acts.ask("point", "image", d -> effects.incrementAndGet());
  }

  @Test
  @DisplayName("an error before leaves nothing done, an error after everything; each strikes once")
  void failsOnce() throws Exception {
    faults.arm("point", Fault.FAIL_BEFORE, ErrorKind.UNAVAILABLE);
    faults.arm("point", Fault.FAIL_AFTER);
    EvenkeelException before = assertThrows(EvenkeelException.class, this::ask);
    assertEquals(ErrorKind.UNAVAILABLE, before.kind());
    assertEquals(0, effects.get());
    EvenkeelException after = assertThrows(EvenkeelException.class, this::ask);
    assertEquals(ErrorKind.INTERNAL, after.kind());
    assertEquals(1, effects.get());
    assertEquals(2, ask());
    assertFalse(faults.isArmed());
    assertEquals(List.of("point"), faults.seen());
  }

  @Test
  @DisplayName("after a crash nothing of that life has an effect; the next life works")
  void crashIsTheEnd() throws Exception {
    AtomicInteger others = new AtomicInteger();
    faults.onCrash(others::incrementAndGet);
    faults.arm("point", Fault.CRASH_AFTER);
    assertThrows(SimulatedCrash.class, this::ask);
    assertThrows(SimulatedCrash.class, this::ask);
    assertEquals(1, effects.get());
    assertEquals(1, others.get());
    FakeActs next = new FakeActs(disk, faults, occupancy, new ArrayList<>());
    int second = next.ask("point", "image", d -> effects.incrementAndGet());
    assertEquals(2, second);
    assertThrows(SimulatedCrash.class, this::ask);
  }

  @Test
  @DisplayName("a call hangs until it is released, and collisions on its image are noticed")
  void hangsAndCollides() throws Exception {
    FakeBackend backend = FakeBackend.create();
    backend.faults().arm("apply create-image", Fault.HANG_BEFORE);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      CompletableFuture<Object> hung =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return PlanSteps.apply(backend.create(PlanSteps.spec("a")).last());
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              },
              pool);
      assertTrue(backend.faults().awaitHanging(Duration.ofSeconds(10)));
      assertEquals(List.of(), backend.violations());
      Object other = PlanSteps.apply(backend.create(PlanSteps.spec("b")).last());
      assertTrue(other.toString().contains("b"));
      assertEquals(List.of(), backend.violations());
      Object second = PlanSteps.apply(backend.create(PlanSteps.spec("a")).last());
      assertTrue(second.toString().contains("a"));
      assertEquals(1, backend.violations().size());
      backend.faults().release();
      assertTrue(hung.get(10, TimeUnit.SECONDS).toString().contains("a"));
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  @DisplayName("an act of an older epoch is shut out by the fence")
  void fences() throws Exception {
    FakeBackend backend = FakeBackend.create();
    backend.fence(new Epoch(5));
    EvenkeelException refused =
        assertThrows(
            EvenkeelException.class,
            () -> PlanSteps.apply(backend.create(PlanSteps.spec("a")).last(), new Epoch(4)));
    assertEquals(ErrorKind.FAILED_PRECONDITION, refused.kind());
    assertEquals(
        "a", PlanSteps.apply(backend.create(PlanSteps.spec("a")).last(), new Epoch(5)).name());
  }
}
