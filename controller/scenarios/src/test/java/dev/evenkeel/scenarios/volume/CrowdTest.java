package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.datastore.MemoryDatastore;
import dev.evenkeel.testkit.volume.FakeBackend;
import dev.evenkeel.testkit.volume.FaultPoints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Many requests at once, on the real loop")
final class CrowdTest {
  private static final long GIB = 1L << 30;
  private static final int NAMES = 10;
  private static final int THREADS = 32;
  private static final int REQUESTS = 1000;

  private final FakeBackend backend = FakeBackend.create();
  private final MemoryDatastore store = MemoryDatastore.create();

  @Test
  @DisplayName("OP-96 1000 requests over 10 names from 32 threads: one at a time for each volume")
  void crowd() throws Exception {
    try (Driver driver = new Driver(backend, store)) {
      ExecutorService pool = Executors.newFixedThreadPool(THREADS);
      try {
        List<Future<?>> clients = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          Random random = new Random(thread);
          int share = REQUESTS / THREADS + 1;
          clients.add(
              pool.submit(
                  () -> {
                    for (int i = 0; i < share; i++) {
                      settles(driver, any(random));
                    }
                  }));
        }
        for (Future<?> client : clients) {
          Object unused = client.get(60, TimeUnit.SECONDS);
        }
      } finally {
        pool.shutdownNow();
      }
      assertEquals(List.of(), backend.violations());
      for (int i = 0; i < NAMES; i++) {
        settles(driver, new DeleteSnapshot(ObjectRef.named("s" + i), Secrets.NONE));
        settles(driver, new DeleteVolume(ObjectRef.named("v" + i), Secrets.NONE));
      }
      assertEquals(List.of(), driver.loop.operations().pending());
    }
    assertEquals(List.of(), Picture.of(backend, store));
  }

  private static Request<?> any(Random random) {
    String name = "v" + random.nextInt(NAMES);
    ObjectRef volume = ObjectRef.named(name);
    String cut = "s" + random.nextInt(NAMES);
    return switch (random.nextInt(6)) {
      case 0 -> new DeleteVolume(volume, Secrets.NONE);
      case 1 -> new ExpandVolume(volume, SizeRange.atLeast(2 * GIB), Secrets.NONE);
      case 2 -> new CreateSnapshot(cut, volume, Secrets.NONE);
      case 3 -> new DeleteSnapshot(ObjectRef.named(cut), Secrets.NONE);
      default -> CreateVolume.of(name, GIB);
    };
  }

  /** Repeats while something else is going on; what ends it is success, or what a race explains. */
  private static void settles(Driver driver, Request<?> request) {
    Outcome<?> outcome = driver.run(request);
    while (!outcome.isSuccess() && outcome.failures().get(0).kind() == ErrorKind.BUSY) {
      Thread.onSpinWait();
      outcome = driver.run(request);
    }
    if (!outcome.isSuccess()) {
      ErrorKind kind = outcome.failures().get(0).kind();
      boolean absent = kind == ErrorKind.NOT_FOUND;
      boolean taken = kind == ErrorKind.ALREADY_EXISTS && request instanceof CreateSnapshot;
      assertTrue(absent || taken, outcome.toString());
      assertFalse(request instanceof DeleteVolume, outcome.toString());
    }
  }

  @Test
  @DisplayName(
      "OP-92 a call that hangs holds its volume, and nobody else's; closing does not wait for it")
  void hangs() throws Exception {
    backend.faults().arm("apply create-image", FaultPoints.Fault.HANG_BEFORE);
    Driver driver = new Driver(backend, store);
    Submission<Volume> hung = driver.loop.pushEvent(CreateVolume.of("hung", GIB));
    assertTrue(backend.faults().awaitHanging(Duration.ofSeconds(20)));
    for (int i = 0; i < 200; i++) {
      var unused = driver.run(CreateVolume.of("other-" + i, GIB)).orThrow();
    }
    Failure again = driver.run(CreateVolume.of("hung", GIB)).failures().get(0);
    assertEquals(ErrorKind.BUSY, again.kind());
    assertTrue(again.message().contains("create-volume"), again.message());
    Failure delete =
        driver.run(new DeleteVolume(ObjectRef.named("hung"), Secrets.NONE)).failures().get(0);
    assertEquals(ErrorKind.BUSY, delete.kind());
    assertFalse(hung.outcome().toCompletableFuture().isDone());
    assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> driver.loop.close(Duration.ofMillis(200)));
    assertFalse(Driver.await(hung).isSuccess());
    assertEquals(List.of(), backend.violations());
    backend.faults().release();
  }
}
