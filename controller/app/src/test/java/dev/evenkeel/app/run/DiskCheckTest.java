package dev.evenkeel.app.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.app.show.Report;
import dev.evenkeel.hostpath.HostpathBackend;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the closing check finds; that it finds nothing in a good run is shown by the demo's tests.
 */
class DiskCheckTest {
  private static final String UUID = "00000000-0000-0000-0000-00000000000a";
  private static final CreateVolume CREATE = CreateVolume.of("a", 1);

  @TempDir private Path root;

  @SuppressWarnings("NullAway.Init") // set before each
  private HostpathBackend backend;

  @BeforeEach
  void open() {
    backend = HostpathBackend.open(root);
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  @DisplayName("nothing anywhere is no difference")
  void nothing() throws Exception {
    assertEquals(List.of(), differences(records(List.of()), new Tally()));
  }

  @Test
  @DisplayName("a record whose image is gone is told")
  void imageGone() throws Exception {
    Tally tally = new Tally();
    tally.ended(CREATE, "applied");

    assertEquals(
        List.of("volume a is stored, and its image csi-vol-a is not there"),
        differences(records(List.of(record(ObjectRecord.State.CREATED))), tally));
  }

  @Test
  @DisplayName("a record that the history does not know, and a volume that it misses, are told")
  void historyDiffers() throws Exception {
    Tally tally = Tally.from(records(List.of(record(ObjectRecord.State.CREATED))));
    tally.ended(new DeleteVolume(ObjectRef.named("a"), Secrets.NONE), "applied");
    tally.ended(CreateVolume.of("b", 1), "applied");

    assertEquals(
        List.of(
            "volume a is stored, and its image csi-vol-a is not there",
            "volume a is stored, and the history knows nothing of it",
            "volume b is in the history, and not stored"),
        differences(records(List.of(record(ObjectRecord.State.CREATED))), tally));
  }

  @Test
  @DisplayName("what ended uncertain is asked of nobody, but its record is told")
  void uncertain() throws Exception {
    Tally tally = new Tally();
    tally.ended(CREATE, "unfinished");

    assertEquals(List.of(), differences(records(List.of()), tally));
    assertEquals(
        List.of("volume a is only RESERVED: repeat what was begun with it"),
        differences(records(List.of(record(ObjectRecord.State.RESERVED))), tally));
  }

  @Test
  @DisplayName("names that lead nowhere, and operations that have not ended, are told")
  void loose() throws Exception {
    TreeMap<String, String> names = new TreeMap<>();
    names.put("ghost", UUID);
    Records records =
        new Records(
            new TreeMap<>(),
            new TreeMap<>(),
            names,
            new TreeMap<>(),
            List.of("create of volume/x"));

    assertEquals(
        List.of(
            "the name of volume ghost leads nowhere",
            "create of volume/x has begun and not ended: repeat it"),
        differences(records, new Tally()));
  }

  @Test
  @DisplayName("an image without a record is told")
  void imageWithoutRecord() throws Exception {
    StepPlan<Image> plan = backend.create(new ImageSpec("b", 1 << 20, new TreeMap<>()));
    assertEquals(List.of(), plan.before());
    var unused = plan.last().apply(new TestContext());

    List<String> found = differences(records(List.of()), new Tally());

    assertEquals(List.of("image b has no record"), found);
  }

  private List<String> differences(Records records, Tally tally) throws Exception {
    Report.Verdict verdict = DiskCheck.compare(records, tally, backend, false);
    return verdict.differences();
  }

  private static Records records(List<ObjectRecord> volumes) {
    TreeMap<String, ObjectRecord> byUuid = new TreeMap<>();
    TreeMap<String, String> names = new TreeMap<>();
    for (ObjectRecord record : volumes) {
      byUuid.put(record.uuid(), record);
      names.put(record.name(), record.uuid());
    }
    return new Records(byUuid, new TreeMap<>(), names, new TreeMap<>(), List.of());
  }

  private static ObjectRecord record(ObjectRecord.State state) {
    return new ObjectRecord(
        1,
        UUID,
        "id",
        "a",
        state,
        "csi-vol-a",
        Optional.empty(),
        1,
        Optional.empty(),
        new TreeMap<>(),
        "t",
        Instant.EPOCH);
  }

  /** What the hostpath backend asks of a context. */
  private static final class TestContext implements StepContext {
    @Override
    public <T> T get(Ref<T> ref) {
      throw new IllegalStateException();
    }

    @Override
    public void checkReadable() {}

    @Override
    public Secret secret(String name) {
      throw new IllegalStateException();
    }

    @Override
    public Instant deadline() {
      return Instant.MAX;
    }

    @Override
    public boolean cancelled() {
      return false;
    }

    @Override
    public Epoch epoch() {
      return Epoch.NONE;
    }

    @Override
    public String transaction() {
      return "t";
    }
  }
}
