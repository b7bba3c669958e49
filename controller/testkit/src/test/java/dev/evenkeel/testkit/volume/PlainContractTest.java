package dev.evenkeel.testkit.volume;

import dev.evenkeel.api.volume.VolumeBackend;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;

@DisplayName("A backend that can only make and remove images keeps the contract too")
class PlainContractTest extends FakeBackendContractTest {
  private static final Set<String> LACKING = Set.of("snapshots", "cloning", "expansion");

  private final IdentityHashMap<VolumeBackend, FakeBackend> full = new IdentityHashMap<>();

  @Override
  protected VolumeBackend open() {
    return plain(FakeBackend.create());
  }

  @Override
  protected VolumeBackend reopen(VolumeBackend before) {
    return plain(behind(before).reopen());
  }

  @Override
  protected void fill(VolumeBackend backend, String image, String text) {
    behind(backend).fill(image, text);
  }

  @Override
  protected String content(VolumeBackend backend, String image) {
    return behind(backend).content(image);
  }

  private FakeBackend behind(VolumeBackend plain) {
    return Optional.ofNullable(full.get(plain)).orElseThrow();
  }

  private VolumeBackend plain(FakeBackend backend) {
    VolumeBackend plain =
        (VolumeBackend)
            Proxy.newProxyInstance(
                VolumeBackend.class.getClassLoader(),
                new Class<?>[] {VolumeBackend.class},
                (proxy, method, arguments) -> {
                  if (LACKING.contains(method.getName())) {
                    return Optional.empty();
                  }
                  try {
                    return method.invoke(backend, arguments);
                  } catch (InvocationTargetException thrown) {
                    throw Objects.requireNonNull(thrown.getCause());
                  }
                });
    full.put(plain, backend);
    return plain;
  }
}
