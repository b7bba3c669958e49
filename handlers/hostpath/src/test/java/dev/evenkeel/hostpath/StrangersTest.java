package dev.evenkeel.hostpath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What strangers put into a volume")
class StrangersTest {
  private static final String VOLUME = "csi-vol-a";
  private static final String COPY = "csi-vol-b";

  @TempDir Path dir;
  private Path root;
  private HostpathBackend backend;

  @BeforeEach
  void open() throws Exception {
    root = dir.resolve("root");
    backend = HostpathBackend.open(root, HostpathOptions.defaults().durable(false));
    create(VOLUME, Map.of());
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  @DisplayName("a link to a file or directory outside is copied as a link and never followed")
  void linksLeadNowhere() throws Exception {
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Path precious = Files.writeString(outside.resolve("precious"), "mine");
    Path data = backend.dataPath(VOLUME);
    Files.createSymbolicLink(data.resolve("to-directory"), outside);
    Files.createSymbolicLink(data.resolve("to-file"), precious);
    Files.createSymbolicLink(data.resolve("to-nothing"), Path.of("/no/such/place"));
    clone(VOLUME, COPY);
    assertEquals(outside, Files.readSymbolicLink(backend.dataPath(COPY).resolve("to-directory")));
    delete(VOLUME);
    delete(COPY);
    assertEquals("mine", Files.readString(precious));
    assertEquals(List.of(), backend.images());
  }

  @Test
  @DisplayName("data replaced by a link to the outside are neither followed nor removed through it")
  void aLinkInPlaceOfData() throws Exception {
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Path precious = Files.writeString(outside.resolve("precious"), "mine");
    Files.delete(backend.dataPath(VOLUME));
    Files.createSymbolicLink(backend.dataPath(VOLUME), outside);
    clone(VOLUME, COPY);
    assertTrue(Files.isSymbolicLink(backend.dataPath(COPY)));
    delete(VOLUME);
    delete(COPY);
    assertEquals("mine", Files.readString(precious));
  }

  @Test
  @DisplayName("a tree of any depth is removed")
  void deepTreesGo() throws Exception {
    Path at = backend.dataPath(VOLUME);
    for (int depth = 0; depth < 300; depth++) {
      at = Files.createDirectory(at.resolve("d"));
      Path unused = Files.createFile(at.resolve("f"));
    }
    delete(VOLUME);
    assertEquals(List.of(), backend.leftovers());
    assertEquals(List.of(), Layout.names(root.resolve("trash")));
  }

  @Test
  @DisplayName("a tree too deep to be copied is refused, and leaves nothing")
  void deepTreesAreNotCopied() throws Exception {
    Path at = backend.dataPath(VOLUME);
    for (int depth = 0; depth < 260; depth++) {
      at = Files.createDirectory(at.resolve("d"));
    }
    assertKind(ErrorKind.RESOURCE_EXHAUSTED, () -> clone(VOLUME, COPY));
    assertEquals(Optional.empty(), backend.find(COPY));
    assertEquals(List.of(), backend.leftovers());
    delete(VOLUME);
  }

  @Test
  @DisplayName("modes, times, names with odd characters, and empty directories are copied")
  void copiesFaithfully() throws Exception {
    Path data = backend.dataPath(VOLUME);
    Path odd = Files.createDirectory(data.resolve("-rf ; x"));
    Path file = Files.writeString(odd.resolve("run me"), "#!/bin/sh");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
    Path empty = Files.createDirectory(data.resolve("empty"));
    clone(VOLUME, COPY);
    Path copy = backend.dataPath(COPY).resolve("-rf ; x/run me");
    assertEquals("#!/bin/sh", Files.readString(copy));
    assertEquals(Files.getPosixFilePermissions(file), Files.getPosixFilePermissions(copy));
    assertEquals(Files.getLastModifiedTime(file), Files.getLastModifiedTime(copy));
    assertTrue(Files.isDirectory(backend.dataPath(COPY).resolve(empty.getFileName())));
  }

  @Test
  @DisplayName("copying stops when nobody waits for it any more, and leaves nothing")
  void copyingCanBeStopped() throws Exception {
    for (int i = 0; i < 20; i++) {
      Path unused = Files.writeString(backend.dataPath(VOLUME).resolve("f" + i), "text");
    }
    AtomicInteger asked = new AtomicInteger();
    assertKind(
        ErrorKind.CANCELLED,
        () -> {
          Image unused =
              Drive.run(
                  backend.cloneImage(VOLUME, spec(COPY, Map.of())),
                  () -> asked.incrementAndGet() > 5);
        });
    assertEquals(List.of(), backend.leftovers());
  }

  @Test
  @DisplayName("a pipe is refused by name, not opened")
  void pipesAreRefused() throws Exception {
    Path pipe = backend.dataPath(VOLUME).resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    assertEquals(0, made.waitFor(), "mkfifo, which POSIX has");
    assertKind(ErrorKind.UNIMPLEMENTED, () -> clone(VOLUME, COPY));
    delete(VOLUME);
    assertFalse(Files.exists(pipe));
  }

  @Test
  @DisplayName("what a killed process has left is named, and cleared by the next attempt")
  void leftoversAreNamedAndCleared() throws Exception {
    Path half = Files.createDirectories(root.resolve("tmp").resolve(COPY).resolve("data"));
    Path unused = Files.writeString(half.resolve("part"), "half");
    Path trash = Files.createDirectories(root.resolve("trash/csi-vol-c/data"));
    assertEquals(
        List.of(Optional.of(COPY), Optional.of("csi-vol-c")),
        backend.leftovers().stream().map(l -> l.image()).toList());
    create(COPY, Map.of());
    assertFalse(Files.exists(backend.dataPath(COPY).resolve("part")));
    assertTrue(Drive.run(backend.delete("csi-vol-c")).changed());
    assertFalse(Files.exists(trash));
    assertEquals(List.of(), backend.leftovers());
  }

  @Test
  @DisplayName("a damaged image is told from an absent one, and can be removed")
  void damagedImages() throws Exception {
    Files.writeString(root.resolve("images").resolve(VOLUME).resolve("info"), "no sense");
    assertKind(ErrorKind.FAILED_PRECONDITION, () -> backend.find(VOLUME));
    create(COPY, Map.of());
    Path stray = Files.createFile(root.resolve("images/.stray"));
    assertEquals(List.of(COPY), backend.images().stream().map(Image::name).toList());
    assertEquals(
        List.of(Optional.empty(), Optional.of(VOLUME)),
        backend.leftovers().stream().map(l -> l.image()).toList());
    Files.delete(stray);
    delete(VOLUME);
    assertEquals(List.of(), backend.leftovers());
  }

  @Test
  @DisplayName("a file image is sparse, exactly as long as asked, and its copies too")
  void filesAreSparse() throws Exception {
    create(COPY, Map.of("kind", "file"));
    assertEquals(1L << 30, Files.size(backend.dataPath(COPY)));
    clone(COPY, "csi-vol-c");
    assertEquals(1L << 30, Files.size(backend.dataPath("csi-vol-c")));
    assertTrue(diskUsage(backend.dataPath("csi-vol-c")) < 1000, "the copy takes up space");
  }

  @Test
  @DisplayName("the largest size that may be asked for can be made, read back and removed")
  void largest() throws Exception {
    long largest = backend.roundUp((1L << 62) - 5);
    Image made = Drive.run(backend.create(new ImageSpec(COPY, largest, new TreeMap<>())));
    assertEquals(1L << 62, made.size());
    Path info = root.resolve("images").resolve(COPY).resolve("info");
    Files.writeString(info, Files.readString(info).replaceAll("size=.*", "size=" + "9".repeat(19)));
    assertKind(ErrorKind.FAILED_PRECONDITION, () -> backend.find(COPY));
    delete(COPY);
    assertEquals(List.of(VOLUME), backend.images().stream().map(Image::name).toList());
  }

  private static long diskUsage(Path file) throws IOException {
    Process du = new ProcessBuilder("du", "-k", file.toString()).start();
    try (Scanner out = new Scanner(du.getInputStream(), StandardCharsets.UTF_8)) {
      return out.nextLong();
    }
  }

  private void create(String image, Map<String, String> parameters) throws Exception {
    Image unused = Drive.run(backend.create(spec(image, parameters)));
  }

  private void clone(String from, String to) throws Exception {
    Image unused = Drive.run(backend.cloneImage(from, spec(to, Map.of())));
  }

  private void delete(String image) throws Exception {
    Done unused = Drive.run(backend.delete(image));
  }

  private static ImageSpec spec(String image, Map<String, String> parameters) {
    return new ImageSpec(image, 1L << 30, new TreeMap<>(parameters));
  }

  private static void assertKind(ErrorKind kind, Executable call) {
    EvenkeelException thrown = assertThrows(EvenkeelException.class, call);
    assertEquals(kind, thrown.kind(), thrown::toString);
  }
}
