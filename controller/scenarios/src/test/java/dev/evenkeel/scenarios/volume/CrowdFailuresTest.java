package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.VolumeSource;
import dev.evenkeel.datastore.MemoryDatastore;
import dev.evenkeel.testkit.volume.FakeBackend;
import dev.evenkeel.testkit.volume.FaultPoints;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Random requests of many threads, with failures of acts and of writes")
final class CrowdFailuresTest {
  private static final long GIB = 1L << 30;
  private static final int NAMES = 6;
  private static final int THREADS = 8;
  private static final int EACH = 60;

  private final FakeBackend backend = FakeBackend.create();

  @ParameterizedTest(name = "batches {0}, seed {1}")
  @CsvSource({"true, 1", "true, 2", "false, 1", "false, 2", "false, 3"})
  @DisplayName("OP-96 whatever fails, repeats settle it, and deleting all leaves nothing behind")
  void crowd(boolean batches, long seed) throws Exception {
    MemoryDatastore store =
        batches
            ? MemoryDatastore.create()
            : MemoryDatastore.builder().without(Capability.ATOMIC_BATCH).build();
    FlakyDatastore flaky = new FlakyDatastore(store, new Random(seed), 12);
    try (Driver driver = new Driver(backend, flaky)) {
      ExecutorService pool = Executors.newFixedThreadPool(THREADS);
      try {
        List<Future<?>> clients = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          Random random = new Random(seed * 100 + thread);
          clients.add(
              pool.submit(
                  () -> {
                    for (int i = 0; i < EACH; i++) {
                      fault(random);
                      Request<?> request = any(random);
                      for (int again = random.nextInt(4); again >= 0; again--) {
                        if (driver.run(request).isSuccess()) {
                          break;
                        }
                      }
                    }
                  }));
        }
        for (Future<?> client : clients) {
          Object unused = client.get(120, TimeUnit.SECONDS);
        }
      } finally {
        pool.shutdownNow();
      }
      backend.faults().disarm();
      flaky.heal();
      assertEquals(List.of(), backend.violations());
      assertEquals(List.of(), driver.loop.operations().pending());
      for (int i = 0; i < NAMES; i++) {
        settles(driver, new DeleteSnapshot(ObjectRef.named("s" + i), Secrets.NONE));
      }
      for (int i = 0; i < NAMES; i++) {
        settles(driver, new DeleteVolume(ObjectRef.named("v" + i), Secrets.NONE));
      }
      assertEquals(List.of(), driver.loop.operations().pending());
    }
    assertEquals(List.of(), Picture.of(backend, store));
    assertEquals(List.of(), backend.violations());
  }

  private void fault(Random random) {
    List<String> points = backend.faults().seen();
    if (!points.isEmpty() && random.nextInt(3) == 0) {
      backend
          .faults()
          .arm(
              points.get(random.nextInt(points.size())),
              random.nextBoolean() ? FaultPoints.Fault.FAIL_BEFORE : FaultPoints.Fault.FAIL_AFTER,
              ErrorKind.UNAVAILABLE);
    }
  }

  private static void settles(Driver driver, Request<?> request) {
    Outcome<?> outcome = driver.run(request);
    for (int i = 0; i < 20 && !outcome.isSuccess(); i++) {
      outcome = driver.run(request);
    }
    assertTrue(outcome.isSuccess(), request.describe() + ": " + outcome);
  }

  private static Request<?> any(Random random) {
    String name = "v" + random.nextInt(NAMES);
    ObjectRef volume = ObjectRef.named("v" + random.nextInt(NAMES));
    String cut = "s" + random.nextInt(NAMES);
    return switch (random.nextInt(8)) {
      case 0 -> new DeleteVolume(volume, Secrets.NONE);
      case 1 -> new ExpandVolume(volume, SizeRange.atLeast(2 * GIB), Secrets.NONE);
      case 2, 3 -> new CreateSnapshot(cut, volume, Secrets.NONE);
      case 4 -> new DeleteSnapshot(ObjectRef.named(cut), Secrets.NONE);
      case 5 ->
          CreateVolume.of(name, 0)
              .from(new VolumeSource(VolumeSource.Kind.SNAPSHOT, ObjectRef.named(cut)));
      case 6 -> CreateVolume.of(name, 0).from(new VolumeSource(VolumeSource.Kind.VOLUME, volume));
      default -> CreateVolume.of(name, GIB);
    };
  }
}
