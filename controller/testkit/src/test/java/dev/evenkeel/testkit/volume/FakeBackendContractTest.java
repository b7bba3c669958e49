package dev.evenkeel.testkit.volume;

import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.tck.volume.VolumeBackendContract;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The fake keeps the backend's contract")
class FakeBackendContractTest extends VolumeBackendContract {
  @Override
  protected VolumeBackend open() {
    return FakeBackend.create();
  }

  @Override
  protected VolumeBackend reopen(VolumeBackend before) {
    return ((FakeBackend) before).reopen();
  }

  @Override
  protected void fill(VolumeBackend backend, String image, String text) {
    ((FakeBackend) backend).fill(image, text);
  }

  @Override
  protected String content(VolumeBackend backend, String image) {
    return ((FakeBackend) backend).content(image);
  }
}
