package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Secrets;
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
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random requests for a few volumes, each of them cut short by a crash or a failure at a random
 * point, and then repeated; in the end everything is deleted, and nothing may be left.
 */
@DisplayName("Random crashes over a backend of many acts")
final class RandomCrashTest {
  private static final long GIB = 1L << 30;
  private static final int NAMES = 20;
  private static final int MOST_REPEATS = 20;

  private final FakeBackend backend = FakeBackend.create();
  private final MemoryDatastore store = MemoryDatastore.create();

  private Outcome<?> once(Life life, Request<?> request) {
    try (Driver driver =
        new Driver(new MortalBackend(backend, life), new MortalDatastore(store, life))) {
      return driver.run(request);
    }
  }

  private void run(long seed, int requests) throws Exception {
    Random random = new Random(seed);
    for (int i = 0; i < requests; i++) {
      Request<?> request = any(random);
      String where = "seed " + seed + ", request " + i + ", " + request.describe();
      Outcome<?> cut = once(hurt(random), request);
      if (!cut.isSuccess() && random.nextInt(4) > 0) {
        settles(request, where);
      } // else its caller gives up, and the next request for that name finds what is there
    }
    for (int i = 0; i < NAMES; i++) {
      settles(new DeleteSnapshot(ObjectRef.named("s" + i), Secrets.NONE), "end, seed " + seed);
      settles(new DeleteVolume(ObjectRef.named("v" + i), Secrets.NONE), "end, seed " + seed);
    }
    assertEquals(List.of(), Picture.of(backend, store), "seed " + seed);
    assertEquals(List.of(), backend.violations());
  }

  private static Life hurt(Random random) {
    return Life.untilPoint(random.nextInt(24));
  }

  /** Repeats until it succeeds, or is refused for a reason that repeating will not change. */
  private void settles(Request<?> request, String where) {
    for (int i = 0; i < MOST_REPEATS; i++) {
      Outcome<?> outcome = once(Life.whole(), request);
      if (outcome.isSuccess() || isRefused(outcome)) {
        boolean delete = request instanceof DeleteVolume || request instanceof DeleteSnapshot;
        assertTrue(outcome.isSuccess() || !delete, where + ": " + outcome);
        return;
      }
    }
    throw new AssertionError(where + " does not settle: " + once(Life.whole(), request));
  }

  private static boolean isRefused(Outcome<?> outcome) {
    ErrorKind kind = outcome.failures().get(0).kind();
    // Busy: its source was given up half made, and waits for its own request.
    return kind == ErrorKind.NOT_FOUND
        || kind == ErrorKind.ALREADY_EXISTS
        || kind == ErrorKind.INVALID
        || kind == ErrorKind.BUSY;
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

  @Test
  @DisplayName("OP-95 100 random requests, each crashed somewhere")
  void few() throws Exception {
    run(1, 100);
  }

  @Test
  @Tag("long")
  @DisplayName("OP-95 500 random requests, each crashed somewhere, ten times over")
  void many() throws Exception {
    for (long seed = 2; seed < 12; seed++) {
      run(seed, 500);
    }
  }
}
