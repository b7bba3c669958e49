package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.store.rados.RadosDatastore;
import dev.evenkeel.store.rados.RadosSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process dies at every point of a create whose records are on RADOS; a new one gets the same
 * request. What lies there then is looked at with Ceph's own tool.
 */
@DisplayName("A reservation on RADOS")
final class RadosReservationTest {
  private static final String DIRECTORY = "csi.volumes.default";
  private static final long GIB = 1L << 30;

  @TempDir private Path folder;

  @Test
  @DisplayName("OP 1.1 created, crashed, resumed, deleted: exactly the OMAPs that are to be there")
  void omaps() throws Exception {
    Path cluster = start();
    Life whole = Life.whole();
    cycle(cluster, "whole", whole);
    List<String> points = whole.points();
    assertTrue(points.size() >= 14, points::toString);
    for (int i = 0; i < points.size(); i += 3) {
      cycle(cluster, "crash-" + i, Life.untilPoint(i));
    }
  }

  private void cycle(Path cluster, String name, Life first) throws Exception {
    try (Site site = site(cluster, name)) {
      CreateVolume create = CreateVolume.of("data", GIB);
      Outcome<?> outcome = site.once(first, create);
      assertEquals(first.isDead(), !outcome.isSuccess(), name);
      assertSuccess(site.once(Life.whole(), create), name);
      Map<String, Set<String>> there = omaps(cluster, name);
      String uuid = value(cluster, name, DIRECTORY, "csi.volume.data");
      assertEquals(
          new TreeSet<>(List.of("csi.volume." + uuid, DIRECTORY)),
          new TreeSet<>(there.keySet()),
          name);
      assertEquals(new TreeSet<>(List.of("csi.volume.data")), there.get(DIRECTORY), name);
      assertEquals(
          new TreeSet<>(List.of("csi.volname", "csi.imagename", "csi.imageid")),
          there.get("csi.volume." + uuid),
          name);
      assertEquals("data", value(cluster, name, "csi.volume." + uuid, "csi.volname"));
      assertEquals("csi-vol-" + uuid, value(cluster, name, "csi.volume." + uuid, "csi.imagename"));
      assertSuccess(
          site.once(Life.whole(), new DeleteVolume(ObjectRef.named("data"), Secrets.NONE)), name);
      assertEquals(Map.of(DIRECTORY, new TreeSet<String>()), omaps(cluster, name), name);
    }
  }

  private static void assertSuccess(Outcome<?> outcome, String where) {
    assertTrue(outcome.isSuccess(), () -> where + ": " + outcome);
  }

  private Site site(Path cluster, String name) {
    RadosSettings settings =
        RadosSettings.of(cluster.resolve("ceph.conf"), "evenkeel", "evenkeel")
            .withKeyring(cluster.resolve("client.evenkeel.keyring"))
            .inNamespace(name);
    return new Site(folder.resolve(name), RadosDatastore.open(settings, new JacksonCodecs()));
  }

  /** The keys of ceph-csi's in every object of ceph-csi's; what is Evenkeel's own has a tab. */
  private static Map<String, Set<String>> omaps(Path cluster, String namespace) throws Exception {
    Map<String, Set<String>> found = new TreeMap<>();
    for (String object : rados(cluster, namespace, "ls").split("\n", -1)) {
      if (object.startsWith("csi.")) {
        TreeSet<String> keys = new TreeSet<>();
        for (String key : rados(cluster, namespace, "listomapkeys", object).split("\n", -1)) {
          if (!key.isEmpty() && key.indexOf('\t') < 0) {
            keys.add(key);
          }
        }
        found.put(object, keys);
      }
    }
    return found;
  }

  private static String value(Path cluster, String namespace, String object, String key)
      throws Exception {
    Path file = Files.createTempFile("evenkeel-omap", ".value");
    try {
      rados(cluster, namespace, "getomapval", object, key, file.toString());
      return Files.readString(file);
    } finally {
      Files.delete(file);
    }
  }

  private static String rados(Path cluster, String namespace, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("timeout", "60", "rados", "-c"));
    command.addAll(
        List.of(cluster.resolve("ceph.conf").toString(), "-p", "evenkeel", "-N", namespace));
    command.addAll(List.of(arguments));
    return run(command);
  }

  private Path start() throws Exception {
    Path scripts =
        Path.of(System.getProperty("evenkeel.root", "../.."), "txn/store-rados/src/test/ceph");
    boolean installed = true;
    for (String tool : List.of("ceph-mon", "ceph-osd", "ceph", "rados")) {
      installed &= run(List.of("sh", "-c", "command -v " + tool + " || true")).startsWith("/");
    }
    if (!installed) {
      System.err.println("SKIPPED: no Ceph here; ./evenkeel test installs it, or says how to");
      Assumptions.abort("no Ceph here");
    }
    Path cluster = Files.createTempDirectory("evenkeel-ceph");
    String self = Long.toString(ProcessHandle.current().pid());
    run(List.of(scripts.resolve("up").toString(), cluster.toString(), "--for", self));
    return cluster;
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Path out = Files.createTempFile("evenkeel-ceph", ".out");
    // A file, since daemons keep what they inherit: a pipe of theirs would not end.
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectErrorStream(true)
            .redirectInput(Path.of("/dev/null").toFile())
            .start();
    boolean over = process.waitFor(180, TimeUnit.SECONDS);
    String text = Files.readString(out);
    Files.delete(out);
    assertTrue(over, command::toString);
    assertEquals(0, process.exitValue(), text);
    return text.strip();
  }
}
