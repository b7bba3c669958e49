package dev.evenkeel.hostpath;

import dev.evenkeel.api.InvalidInputException;
import java.util.Objects;

/**
 * How a {@link HostpathBackend} behaves. Immutable.
 *
 * @param defaultSize bytes of a volume whose request leaves the size open
 * @param defaultForm what a volume is when the request does not say
 * @param durable whether what was made is forced to the disk before a step returns; only tests turn
 *     it off
 */
public record HostpathOptions(long defaultSize, VolumeForm defaultForm, boolean durable) {
  /** Refuses a size that is not positive. */
  public HostpathOptions {
    Objects.requireNonNull(defaultForm, "defaultForm");
    if (defaultSize <= 0) {
      throw InvalidInputException.of(
          "hostpath options", "defaultSize", Long.toString(defaultSize), "must be positive");
    }
  }

  /** 1 GiB, directories, durable. */
  public static HostpathOptions defaults() {
    return new HostpathOptions(1L << 30, VolumeForm.DIRECTORY, true);
  }

  /** The same with another default size. */
  public HostpathOptions defaultSize(long bytes) {
    return new HostpathOptions(bytes, defaultForm, durable);
  }

  /** The same with another default form. */
  public HostpathOptions defaultForm(VolumeForm form) {
    return new HostpathOptions(defaultSize, form, durable);
  }

  /** The same, durable or not. */
  public HostpathOptions durable(boolean forced) {
    return new HostpathOptions(defaultSize, defaultForm, forced);
  }
}
