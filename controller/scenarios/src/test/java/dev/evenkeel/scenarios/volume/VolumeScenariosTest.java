package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.Snapshot;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.api.volume.VolumeSource;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Volumes, with the stock handlers on the real loop")
final class VolumeScenariosTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path folder;
  private Site site;

  @BeforeEach
  void open() {
    site = Site.in(folder.resolve("volumes"));
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static ObjectRef named(String name) {
    return ObjectRef.named(name);
  }

  private static ErrorKind kindOf(Outcome<?> outcome) {
    assertFalse(outcome.isSuccess(), outcome::toString);
    return outcome.failures().get(0).kind();
  }

  private <R> R done(dev.evenkeel.api.event.Request<R> request) {
    return site.once(Life.whole(), request).orThrow();
  }

  @Test
  @DisplayName(
      "OP-30 an image that was made, and an error all the same: none is left, a repeat makes one")
  void failAfterCreate() throws Exception {
    Life life = Life.whole().failing("after create-image");
    Outcome<Volume> failed = site.once(life, CreateVolume.of("data", GIB));
    assertEquals(true, assertInstanceOf(Outcome.Reverted.class, failed).complete());
    assertEquals(List.of(), site.picture());
    Volume volume = done(CreateVolume.of("data", GIB));
    assertEquals(1, site.backend.images().size());
    assertEquals(volume, done(CreateVolume.of("data", GIB)));
  }

  @Test
  @DisplayName("OP-32 same name, other size: refused; same again: the same volume, never shrunk")
  void sizes() throws Exception {
    Volume one = done(CreateVolume.of("one", GIB));
    Outcome<Volume> larger = site.once(Life.whole(), CreateVolume.of("one", 2 * GIB));
    assertEquals(ErrorKind.ALREADY_EXISTS, kindOf(larger));
    assertEquals(one, done(CreateVolume.of("one", GIB)));
    Volume two = done(CreateVolume.of("two", 2 * GIB));
    assertEquals(two, done(CreateVolume.of("two", GIB)));
    assertEquals(2 * GIB, two.size());
  }

  @Test
  @DisplayName("OP-33 same name, other source or parameters: refused, the original untouched")
  void otherRequest() throws Exception {
    Volume source = done(CreateVolume.of("source", GIB));
    done(CreateVolume.of("data", GIB));
    List<String> before = site.picture();
    CreateVolume copy =
        CreateVolume.of("data", GIB)
            .from(new VolumeSource(VolumeSource.Kind.VOLUME, ObjectRef.id(source.id())));
    assertEquals(ErrorKind.ALREADY_EXISTS, kindOf(site.once(Life.whole(), copy)));
    CreateVolume file = CreateVolume.of("data", GIB).with("kind", "file");
    assertEquals(ErrorKind.ALREADY_EXISTS, kindOf(site.once(Life.whole(), file)));
    assertEquals(before, site.picture());
  }

  @Test
  @DisplayName(
      "OP-34 the last write fails: the operation has failed; a repeat does that write alone")
  void lastWriteFails() throws Exception {
    Life clean = Life.whole();
    site.once(clean, CreateVolume.of("model", GIB)).orThrow();
    List<String> points = clean.points();
    assertEquals(
        List.of("before a write", "after a write"),
        points.subList(points.size() - 2, points.size()));
    int lastWrite = points.size() - 2;

    Life cut = Life.untilPoint(lastWrite);
    assertFalse(site.once(cut, CreateVolume.of("data", GIB)).isSuccess());
    assertTrue(cut.isDead());
    Life repeat = Life.whole();
    site.once(repeat, CreateVolume.of("data", GIB)).orThrow();
    assertEquals(List.of("before a write", "after a write"), repeat.points());
  }

  @Test
  @DisplayName("OP-53 something unknown is deleted twice: both times it is gone")
  void deleteUnknown() {
    assertEquals(new Done(false), done(new DeleteVolume(named("never"), Secrets.NONE)));
    assertEquals(new Done(false), done(new DeleteVolume(named("never"), Secrets.NONE)));
    String id = "0001-0004-demo-0000000000000000-00000000-0000-4000-8000-000000000000";
    assertEquals(new Done(false), done(new DeleteVolume(ObjectRef.id(id), Secrets.NONE)));
  }

  @Test
  @DisplayName("OP-55 the image went to the trash, and an error all the same: a repeat ends it")
  void failAfterTrash() throws Exception {
    done(CreateVolume.of("data", GIB));
    Life life = Life.whole().failing("after trash-image");
    DeleteVolume delete = new DeleteVolume(named("data"), Secrets.NONE);
    assertFalse(site.once(life, delete).isSuccess());
    assertEquals(new Done(true), done(delete));
    assertEquals(List.of(), site.picture());
  }

  @Test
  @DisplayName("OP-56 a record whose image was never made: the delete succeeds, the record goes")
  void recordWithoutImage() throws Exception {
    Life cut = Life.untilPoint(2);
    assertFalse(site.once(cut, CreateVolume.of("data", GIB)).isSuccess());
    assertEquals(List.of("before a write", "after a write"), cut.points());
    assertFalse(site.picture().isEmpty(), "the reservation is there");
    var unused = done(new DeleteVolume(named("data"), Secrets.NONE));
    assertEquals(List.of(), site.picture());
  }

  @Test
  @DisplayName(
      "OP-65 same snapshot name, other source: refused; the same a hundred times: one snapshot")
  void snapshots() throws Exception {
    done(CreateVolume.of("one", GIB));
    done(CreateVolume.of("two", GIB));
    CreateSnapshot cut = new CreateSnapshot("s", named("one"), Secrets.NONE);
    Life life = Life.whole();
    try (Driver driver = site.start(life)) {
      Snapshot first = driver.run(cut).orThrow();
      for (int i = 0; i < 100; i++) {
        assertEquals(first, driver.run(cut).orThrow());
      }
      Outcome<Snapshot> other = driver.run(new CreateSnapshot("s", named("two"), Secrets.NONE));
      assertEquals(ErrorKind.ALREADY_EXISTS, kindOf(other));
    }
    assertEquals(1, life.points().stream().filter("after snapshot-image"::equals).count());
  }

  @Test
  @DisplayName(
      "OP-71 the image grew, and an error all the same: a repeat answers, and grows nothing")
  void failAfterExpand() {
    done(CreateVolume.of("data", GIB));
    ExpandVolume expand = new ExpandVolume(named("data"), SizeRange.atLeast(2 * GIB), Secrets.NONE);
    Life life = Life.whole().failing("after expand-image");
    assertFalse(site.once(life, expand).isSuccess());
    Life repeat = Life.whole();
    assertEquals(2 * GIB, site.once(repeat, expand).orThrow().size());
    assertFalse(repeat.points().contains("before expand-image"), repeat.points()::toString);
  }

  @Test
  @DisplayName("OP-72 nothing to grow: the current size, no act; a byte over 1 GiB becomes 2 GiB")
  void expandSizes() {
    done(CreateVolume.of("data", GIB));
    Life life = Life.whole();
    ExpandVolume same = new ExpandVolume(named("data"), SizeRange.atLeast(GIB), Secrets.NONE);
    assertEquals(GIB, site.once(life, same).orThrow().size());
    assertEquals(List.of(), life.points());
    ExpandVolume more = new ExpandVolume(named("data"), SizeRange.atLeast(GIB + 1), Secrets.NONE);
    assertEquals(2 * GIB, done(more).size());
  }

  @Test
  @DisplayName("OP-50 a copy smaller than its source is refused, and nothing is reserved")
  void copyTooSmall() throws Exception {
    done(CreateVolume.of("large", 2 * GIB));
    List<String> before = site.picture();
    CreateVolume copy =
        new CreateVolume(
            "small",
            new SizeRange(GIB, GIB),
            java.util.Optional.of(new VolumeSource(VolumeSource.Kind.VOLUME, named("large"))),
            new java.util.TreeMap<>(),
            Secrets.NONE);
    assertEquals(ErrorKind.INVALID, kindOf(site.once(Life.whole(), copy)));
    assertEquals(before, site.picture());
  }
}
