package dev.evenkeel.hostpath;

import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.tck.volume.VolumeBackendContract;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Volumes as directories keep the backend's contract")
class DirectoryContractTest extends VolumeBackendContract {
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
  protected void fill(VolumeBackend backend, String image, String text) throws Exception {
    Path data = ((HostpathBackend) backend).dataPath(image);
    Files.createDirectories(data.resolve("inner"));
    Files.writeString(data.resolve("inner/text"), text);
  }

  @Override
  protected String content(VolumeBackend backend, String image) throws Exception {
    Path text = ((HostpathBackend) backend).dataPath(image).resolve("inner/text");
    return Files.exists(text) ? Files.readString(text) : "";
  }
}
