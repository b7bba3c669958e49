package dev.evenkeel.csi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives the tests one driver after the other's tests, on the hostpath backend and the local store:
 * as the conformance suite has it, what a test leaves behind is there for the next.
 */
final class OnHostpath implements BeforeEachCallback, AfterEachCallback {
  private static final ExtensionContext.Namespace HERE =
      ExtensionContext.Namespace.create(OnHostpath.class);

  /** The driver of all, which ends with the last test. */
  @SuppressWarnings("try") // ends with whatever its parts throw
  private record Shared(Path dir, Rig rig) implements AutoCloseable {
    static Shared start() {
      try {
        Path dir = Files.createTempDirectory("evenkeel-csi");
        return new Shared(dir, Rig.real(dir));
      } catch (Exception failed) {
        throw new IllegalStateException(failed);
      }
    }

    @Override
    public void close() throws Exception {
      rig.end();
      try (Stream<Path> all = Files.walk(dir)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          delete(path);
        }
      }
    }

    private static void delete(Path path) throws IOException {
      Files.deleteIfExists(path);
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    Rig.shared =
        context
            .getRoot()
            .getStore(HERE)
            .getOrComputeIfAbsent("driver", key -> Shared.start(), Shared.class)
            .rig();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Rig.shared = null;
  }
}
