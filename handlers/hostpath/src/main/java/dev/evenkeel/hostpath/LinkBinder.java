package dev.evenkeel.hostpath;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Shows things by symbolic links, for those who may not mount. What is there before must be an
 * empty directory or an empty file; it gives way.
 */
final class LinkBinder implements Binder {
  @Override
  public boolean shows(Path source, Path target) throws IOException {
    return isTaken(target) && Files.readSymbolicLink(target).equals(source);
  }

  @Override
  public boolean isTaken(Path target) {
    return Files.isSymbolicLink(target);
  }

  @Override
  public void show(Path source, Path target, boolean readOnly) throws IOException {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      boolean full =
          Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS) && Files.size(target) > 0;
      if (full || isTaken(target)) {
        throw new FileSystemException(target.toString(), null, "holds something already");
      }
      try {
        Files.delete(target);
      } catch (DirectoryNotEmptyException e) {
        throw new FileSystemException(target.toString(), null, "is not empty");
      }
    }
    Files.createSymbolicLink(target, source);
  }

  @Override
  public void hide(Path target) throws IOException {
    if (isTaken(target)) {
      Files.delete(target);
    }
  }

  @Override
  public String describe() {
    return "shown by symbolic links: read-only is not enforced";
  }
}
