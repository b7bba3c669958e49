package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.CreatorUpdater;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.DeleterUpdater;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.SnapshotterUpdater;
import dev.evenkeel.handlers.volume.VolumeSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The updaters are called")
final class UpdatersTest {
  private static final long GIB = 1L << 30;
  private static final ObjectRef DATA = ObjectRef.named("data");
  private static final CreateVolume CREATE = CreateVolume.of("data", GIB);
  private static final DeleteVolume DELETE = new DeleteVolume(DATA, Secrets.NONE);
  private static final CreateSnapshot CUT = new CreateSnapshot("cut", DATA, Secrets.NONE);
  private static final DeleteSnapshot DELETE_CUT =
      new DeleteSnapshot(ObjectRef.named("cut"), Secrets.NONE);

  @TempDir private Path folder;
  private final List<String> calls = new ArrayList<>();
  private Site site;

  @BeforeEach
  void open() {
    site = Site.in(folder.resolve("volumes"));
  }

  @AfterEach
  void close() {
    site.close();
  }

  private VolumeSettings noting() {
    VolumeSettings stock = VolumeSettings.of("demo");
    return stock.updaters(
        noting(CreatorUpdater.class, "creator", stock.creator()),
        noting(DeleterUpdater.class, "deleter", stock.deleter()),
        noting(SnapshotterUpdater.class, "snapshotter", stock.snapshotter()));
  }

  private <T> T noting(Class<T> type, String name, T stock) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              calls.add(name + "." + method.getName());
              try {
                return method.invoke(stock, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            }));
  }

  /** What is called for a request in a life; and not called before it is decided. */
  private List<String> callsOf(Life life, Request<?> request) {
    calls.clear();
    try (Driver driver =
        new Driver(
            new MortalBackend(site.backend, life),
            new MortalDatastore(site.store, life),
            noting())) {
      var unused = driver.run(request);
    }
    return List.copyOf(calls);
  }

  @Test
  @DisplayName("for a create: complete, undone, uncertain")
  void create() {
    assertEquals(
        List.of("creator.removeVolumeFromOmap"),
        callsOf(Life.whole().failing("after create-image"), CREATE));
    assertEquals(
        List.of("creator.markVolumeAsUnknown"),
        callsOf(Life.whole().failing("after create-image", "before undoing create-image"), CREATE));
    assertEquals(
        List.of("creator.markVolumeAsCreated", "creator.addVolumeToCluster"),
        callsOf(Life.whole(), CREATE));
  }

  @Test
  @DisplayName("for a delete: complete, without an image, uncertain")
  void delete() throws Exception {
    var unused = callsOf(Life.whole(), CREATE);
    assertEquals(
        List.of("deleter.markVolumeAsUnknown"),
        callsOf(Life.whole().failing("after trash-image", "probe trash-image"), DELETE));
    assertEquals(
        List.of(
            "deleter.removeVolumeFromOmap",
            "deleter.markVolumeAsDeleted",
            "deleter.deleteVolumeFromCluster"),
        callsOf(Life.whole(), DELETE));

    var reserved = callsOf(Life.untilPoint(2), CREATE);
    assertEquals(
        List.of(
            "deleter.markVolumeAsDontExistInCluster",
            "deleter.removeVolumeFromOmap",
            "deleter.markVolumeAsDeleted",
            "deleter.deleteVolumeFromCluster"),
        callsOf(Life.whole(), DELETE),
        () -> "after " + reserved);
    assertEquals(List.of(), site.picture());
  }

  @Test
  @DisplayName("for a snapshot: complete, undone, uncertain, removed, without an image")
  void snapshot() throws Exception {
    var unused = callsOf(Life.whole(), CREATE);
    assertEquals(
        List.of("snapshotter.removeSnapshotFromOmap"),
        callsOf(Life.whole().failing("after snapshot-image"), CUT));
    assertEquals(
        List.of("snapshotter.markSnapshotAsUnknown"),
        callsOf(
            Life.whole().failing("after snapshot-image", "before undoing snapshot-image"), CUT));
    assertEquals(
        List.of("snapshotter.markSnapshotAsCreated", "snapshotter.addSnapshotToCluster"),
        callsOf(Life.whole(), CUT));
    assertEquals(List.of("snapshotter.removeSnapshotFromOmap"), callsOf(Life.whole(), DELETE_CUT));

    var reserved = callsOf(Life.untilPoint(2), CUT);
    assertEquals(
        List.of(
            "snapshotter.markSnapshotAsDontExistInCluster", "snapshotter.removeSnapshotFromOmap"),
        callsOf(Life.whole(), DELETE_CUT),
        () -> "after " + reserved);
  }
}
