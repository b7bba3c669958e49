package dev.evenkeel.hostpath;

import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.tck.volume.VolumeBackendContract;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Volumes as sparse files keep the backend's contract")
class FileContractTest extends VolumeBackendContract {
  private static final int LONGEST = 16;

  @TempDir Path root;

  @Override
  protected VolumeBackend open() {
    return HostpathBackend.open(root, HostpathOptions.defaults().durable(false));
  }

  @Override
  protected VolumeBackend reopen(VolumeBackend before) {
    before.close();
    return open();
  }

  @Override
  protected SortedMap<String, String> parameters() {
    return new TreeMap<>(Map.of("kind", "file"));
  }

  @Override
  protected void fill(VolumeBackend backend, String image, String text) throws Exception {
    byte[] bytes = new byte[LONGEST];
    byte[] given = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(given, 0, bytes, 0, given.length);
    try (RandomAccessFile file = open(backend, image, "rw")) {
      file.seek(file.length() / 2);
      file.write(bytes);
      file.seek(0);
      file.write(bytes);
    }
  }

  @Override
  protected String content(VolumeBackend backend, String image) throws Exception {
    byte[] bytes = new byte[LONGEST];
    try (RandomAccessFile file = open(backend, image, "r")) {
      file.readFully(bytes);
    }
    return new String(bytes, StandardCharsets.UTF_8).replace("\0", "");
  }

  private static RandomAccessFile open(VolumeBackend backend, String image, String mode)
      throws Exception {
    return new RandomAccessFile(((HostpathBackend) backend).dataPath(image).toFile(), mode);
  }
}
