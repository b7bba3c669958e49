package dev.evenkeel.hostpath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Whether an image is in use")
class UsesTest {
  private static final Path IMAGE = Path.of("/data/my volumes/images/a");

  @TempDir Path dir;

  private boolean used(String... mounts) throws Exception {
    Path file = Files.write(dir.resolve("mountinfo"), List.of(mounts));
    return new Uses(file, dir.resolve("block")).of(IMAGE);
  }

  private static String mount(String device, String root, String point) {
    return "36 35 " + device + " " + root + " " + point + " rw,noatime shared:1 - ext4 /dev/sda rw";
  }

  @Test
  @DisplayName("not when nothing of it is mounted")
  void unused() throws Exception {
    assertFalse(used(mount("8:1", "/", "/"), mount("8:2", "/", "/data")));
    assertFalse(
        used(
            mount("8:1", "/", "/"),
            mount("8:2", "/", "/data"),
            mount("8:2", "/my\\040volumes/images/ab/data", "/mnt"),
            mount("8:3", "/my\\040volumes/images/a/data", "/mnt2")));
  }

  @Test
  @DisplayName("when a part of it is bound elsewhere, or something is mounted inside it")
  void mounted() throws Exception {
    assertTrue(
        used(
            mount("8:1", "/", "/"),
            mount("8:2", "/", "/data"),
            mount("8:2", "/my\\040volumes/images/a/data", "/mnt")));
    assertTrue(
        used(
            mount("8:1", "/", "/"),
            mount("8:2", "/below", "/data"),
            mount("8:2", "/below/my\\040volumes/images/a/data", "/mnt")));
    assertTrue(
        used(mount("8:1", "/", "/"), mount("0:9", "/", "/data/my\\040volumes/images/a/data/x")));
  }

  @Test
  @DisplayName("when it is behind a loop device")
  void looped() throws Exception {
    Path loop = Files.createDirectories(dir.resolve("block/loop3/loop"));
    Files.writeString(loop.resolve("backing_file"), IMAGE.resolve("data") + "\n");
    assertTrue(used(mount("8:1", "/", "/")));
    Files.writeString(loop.resolve("backing_file"), "/elsewhere\n");
    assertFalse(used(mount("8:1", "/", "/")));
  }

  @Test
  @DisplayName("where the system does not tell, nothing is")
  void unknown() throws Exception {
    assertFalse(new Uses(dir.resolve("no"), dir.resolve("nothing")).of(IMAGE));
    assertEquals(false, Uses.ofThisMachine().of(dir));
  }
}
