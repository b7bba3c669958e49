package dev.evenkeel.hostpath;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses how to copy: by sharing blocks where the file system can; else a sparse file by a program
 * that skips its holes, and a directory, which strangers write in, by ourselves.
 */
final class Copiers {
  /** File systems that are known not to share blocks: there no process need be started. */
  private static final Set<String> UNABLE = Set.of("ext2", "ext3", "ext4", "tmpfs", "vfat");

  private final Path workplace;
  private final boolean durable;
  private final Optional<Copier> sharing;
  private final Copier own;
  private Optional<Copier> forFiles = Optional.empty();

  private Copiers(Path workplace, boolean durable, Optional<Copier> sharing) {
    this.workplace = workplace;
    this.durable = durable;
    this.sharing = sharing;
    own = new JavaCopier(durable);
  }

  static Copiers in(Path workplace, boolean durable) throws IOException {
    Optional<Copier> sharing =
        UNABLE.contains(Files.getFileStore(workplace).type())
            ? Optional.empty()
            : CpCopier.tryIn(workplace, "always", durable);
    return new Copiers(workplace, durable, sharing);
  }

  Copier of(VolumeForm form) throws IOException {
    if (sharing.isPresent()) {
      return sharing.get();
    }
    return form == VolumeForm.FILE ? forFiles() : own;
  }

  /** Tried at the first copy of a file, so that opening stays quick. */
  private synchronized Copier forFiles() throws IOException {
    if (forFiles.isEmpty()) {
      forFiles = CpCopier.tryIn(workplace, "auto", durable).or(() -> Optional.of(own));
    }
    return forFiles.get();
  }

  /** For people. */
  String describe() {
    return sharing.isPresent()
        ? "share blocks with their source (" + sharing.get().describe() + ")"
        : "are full copies: this file system does not share blocks between files";
  }
}
