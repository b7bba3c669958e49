package dev.evenkeel.hostpath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.MountSpec;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.VolumeBackend.Mounting;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether this machine lets us mount or not: what is seen is the same. */
@DisplayName("The node side on the local file system")
final class NodeTest {
  private static final MountSpec BLOCK =
      new MountSpec(true, "", List.of(), MountSpec.AccessMode.SINGLE_NODE_WRITER, false);

  @TempDir private Path folder;

  private HostpathBackend open() {
    return HostpathBackend.open(
        folder.resolve("volumes"), HostpathOptions.defaults().durable(false));
  }

  private static void create(HostpathBackend backend, String image, String kind) throws Exception {
    TreeMap<String, String> parameters = new TreeMap<>();
    parameters.put("kind", kind);
    var unused = Drive.run(backend.create(new ImageSpec(image, 1 << 20, parameters)));
  }

  @Test
  @DisplayName("a directory is staged, published, and taken away; what was written stays in it")
  void directory() throws Exception {
    try (HostpathBackend backend = open()) {
      create(backend, "data", "directory");
      Mounting node = backend.mounting().orElseThrow();
      Path staging = folder.resolve("staging");
      Path target = folder.resolve("pods/a/data");
      assertEquals(
          backend.dataPath("data").toString(), Drive.run(node.map("data", MountSpec.PLAIN)));
      var one = Drive.run(node.mount("data", staging.toString(), MountSpec.PLAIN));
      var again = Drive.run(node.mount("data", staging.toString(), MountSpec.PLAIN));
      assertEquals(one, again);
      StepPlan<Done> bind = node.bind(staging.toString(), target.toString(), MountSpec.PLAIN);
      var unused = Drive.run(bind);
      assertTrue(node.isMounted(target.toString()));
      Files.writeString(target.resolve("text"), "kept");
      assertEquals("kept", Files.readString(backend.dataPath("data").resolve("text")));
      assertTrue(node.usage(target.toString()).totalBytes() > 0);
      assertEquals(new Done(true), Drive.run(node.unmount(target.toString())));
      assertEquals(new Done(false), Drive.run(node.unmount(target.toString())));
      assertEquals(new Done(true), Drive.run(node.unmount(staging.toString())));
      assertFalse(node.isMounted(staging.toString()));
      assertFalse(Files.exists(target, LinkOption.NOFOLLOW_LINKS));
      assertEquals("kept", Files.readString(backend.dataPath("data").resolve("text")));
      EvenkeelException gone =
          assertThrows(EvenkeelException.class, () -> node.usage(target.toString()));
      assertEquals(ErrorKind.NOT_FOUND, gone.kind());
    }
  }

  @Test
  @DisplayName("a file is a block device, and a directory is none")
  void block() throws Exception {
    try (HostpathBackend backend = open()) {
      create(backend, "raw", "file");
      create(backend, "data", "directory");
      Mounting node = backend.mounting().orElseThrow();
      String staging = folder.resolve("staging").toString();
      Files.createDirectories(Path.of(staging));
      EvenkeelException noFiles =
          assertThrows(
              EvenkeelException.class,
              () -> Drive.run(node.mount("raw", staging, MountSpec.PLAIN)));
      assertEquals(ErrorKind.FAILED_PRECONDITION, noFiles.kind());
      EvenkeelException noBlocks =
          assertThrows(
              EvenkeelException.class, () -> Drive.run(node.mount("data", staging, BLOCK)));
      assertEquals(ErrorKind.FAILED_PRECONDITION, noBlocks.kind());
      String device = Drive.run(node.map("raw", BLOCK));
      var unused = Drive.run(node.mount("raw", staging, BLOCK));
      Path target = folder.resolve("pods/a/raw");
      var unusedToo = Drive.run(node.bind(device, target.toString(), BLOCK));
      assertEquals(1 << 20, Files.size(target));
      assertEquals(1 << 20, node.usage(target.toString()).totalBytes());
      assertEquals(new Done(true), Drive.run(node.unmount(target.toString())));
      assertEquals(new Done(true), Drive.run(node.unmount(staging)));
      assertEquals(1 << 20, Files.size(Path.of(device)));
    }
  }

  @Test
  @DisplayName("a target that holds something is not covered up by a link")
  void fullTarget() throws Exception {
    Path target = Files.createDirectories(folder.resolve("full"));
    Files.writeString(target.resolve("theirs"), "theirs");
    Path source = Files.createDirectories(folder.resolve("source"));
    LinkBinder links = new LinkBinder();
    assertThrows(java.io.IOException.class, () -> links.show(source, target, false));
    assertEquals("theirs", Files.readString(target.resolve("theirs")));
    Path empty = Files.createDirectories(folder.resolve("empty"));
    links.show(source, empty, false);
    assertTrue(links.shows(source, empty));
    links.hide(empty);
    links.hide(empty);
    assertFalse(links.isTaken(empty));
  }

  @Test
  @DisplayName("iops is a positive whole number, kept beside the metadata")
  void iops() throws Exception {
    try (HostpathBackend backend = open()) {
      create(backend, "data", "directory");
      TreeMap<String, String> wanted = new TreeMap<>();
      wanted.put("iops", "100");
      backend.checkMutable(wanted);
      var unused = Drive.run(StepPlan.of(backend.modify("data", wanted)));
      assertEquals("100", backend.metadata("data").get("evenkeel.mutable.iops"));
      for (String wrong : List.of("0", "-1", "many", "1.5", "99999999999", "")) {
        wanted.put("iops", wrong);
        assertThrows(EvenkeelException.class, () -> backend.checkMutable(wanted), wrong);
      }
      wanted.clear();
      wanted.put("unknown", "1");
      assertThrows(EvenkeelException.class, () -> backend.checkMutable(wanted));
    }
  }
}
