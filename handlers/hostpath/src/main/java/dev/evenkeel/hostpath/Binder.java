package dev.evenkeel.hostpath;

import java.io.IOException;
import java.nio.file.Path;

/** How a file or a directory is shown at another path. Blocks. */
interface Binder {
  /** Whether that source is what is shown there. */
  boolean shows(Path source, Path target) throws IOException;

  /** Whether anything is shown there. */
  boolean isTaken(Path target) throws IOException;

  /** Shows it; the target is absent or empty. */
  void show(Path source, Path target, boolean readOnly) throws IOException;

  /** Takes away what is shown there; nothing there is fine. */
  void hide(Path target) throws IOException;

  /** For people. */
  String describe();
}
