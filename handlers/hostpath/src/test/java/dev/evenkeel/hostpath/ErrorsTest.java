package dev.evenkeel.hostpath;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
    assumeTrue(Files.exists(full));
    try (FileChannel channel = FileChannel.open(full, StandardOpenOption.WRITE)) {
      IOException thrown =
          assertThrows(IOException.class, () -> channel.write(ByteBuffer.allocate(1)));
      assertEquals(ErrorKind.RESOURCE_EXHAUSTED, kind(thrown));
    }
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
  @DisplayName("a root that may not be written is refused when it is opened")
  void unwritableRoot() throws Exception {
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assumeFalse(Files.isWritable(dir), "this user may write everywhere");
      EvenkeelException refused =
          assertThrows(EvenkeelException.class, () -> HostpathBackend.open(dir.resolve("root")));
      assertEquals(ErrorKind.UNAUTHORIZED, refused.kind());
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
}
