package dev.evenkeel.hostpath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What the file system says, typed")
class ErrorsTest {
  @TempDir Path dir;

  private static ErrorKind kind(IOException thrown) {
    return Errors.of("cannot do it", thrown).kind();
  }

  @Test
  @DisplayName("OP-100 a full disk is resource exhausted")
  void fullDisk() throws Exception {
    Path full = Path.of("/dev/full");
    if (Files.exists(full)) { // Linux: what the kernel really says
      try (FileChannel channel = FileChannel.open(full, StandardOpenOption.WRITE)) {
        IOException thrown =
            assertThrows(IOException.class, () -> channel.write(ByteBuffer.allocate(1)));
        assertEquals(ErrorKind.RESOURCE_EXHAUSTED, kind(thrown));
      }
    }
    assertEquals(ErrorKind.RESOURCE_EXHAUSTED, kind(new IOException("No space left on device")));
    IOException otherLanguage = new IOException("kein Platz");
    assertEquals(ErrorKind.INTERNAL, kind(otherLanguage));
    assertEquals(
        ErrorKind.RESOURCE_EXHAUSTED, Errors.of("cannot", otherLanguage, () -> true).kind());
  }

  @Test
  @DisplayName("OP-100 permissions, read-only and too large files have kinds of their own")
  void others() {
    assertEquals(ErrorKind.UNAUTHORIZED, kind(new AccessDeniedException("/x")));
    assertEquals(ErrorKind.FAILED_PRECONDITION, kind(new IOException("Read-only file system")));
    assertEquals(ErrorKind.OUT_OF_RANGE, kind(new IOException("File too large")));
    assertEquals(ErrorKind.RESOURCE_EXHAUSTED, kind(new IOException("Disk quota exceeded")));
  }

  @Test
  @DisplayName("a root that may not be written is refused when it is opened, and only such a one")
  void unwritableRoot() throws Exception {
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      if (Files.isWritable(dir)) { // as root, whom permissions do not bind
        HostpathBackend.open(dir.resolve("root")).close();
        assertTrue(Files.isDirectory(dir.resolve("root")));
      } else {
        EvenkeelException refused =
            assertThrows(EvenkeelException.class, () -> HostpathBackend.open(dir.resolve("root")));
        assertEquals(ErrorKind.UNAUTHORIZED, refused.kind());
      }
    } finally {
      Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  @DisplayName("a root on a read-only file system is refused when it is opened")
  void readOnlyRoot() {
    EvenkeelException refused =
        assertThrows(EvenkeelException.class, () -> HostpathBackend.open(Path.of("/proc/volumes")));
    assertTrue(refused.toString().contains("/proc/volumes"), refused::toString);
  }

  @Test
  @DisplayName("a root that is a file, or below one, is refused when it is opened, also to root")
  void rootBelowAFile() throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "kept");
    for (Path root : List.of(file, file.resolve("root"))) {
      EvenkeelException refused =
          assertThrows(EvenkeelException.class, () -> HostpathBackend.open(root));
      assertTrue(refused.toString().contains(root.toString()), refused::toString);
    }
    assertEquals("kept", Files.readString(file));
  }
}
