package dev.evenkeel.hostpath;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Shows things by bind mounts; needs the right to mount. */
final class MountBinder implements Binder {
  private static final long SECONDS = 60;
  private static final int LONGEST_COMPLAINT = 500;

  private final Uses uses;

  private MountBinder(Uses uses) {
    this.uses = uses;
  }

  /** Tries it once, in a directory of ours; empty where it is not allowed or not possible. */
  static Optional<Binder> tried(Path directory, Uses uses) throws IOException {
    Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (!Integer.valueOf(0).equals(user)) {
      return Optional.empty();
    }
    Path one = Files.createTempDirectory(directory, "trial-");
    MountBinder binder = new MountBinder(uses);
    try {
      binder.show(one, one, true);
      binder.hide(one);
      return Optional.of(binder);
    } catch (IOException refused) {
      return Optional.empty(); // by the container, say; then links serve
    } finally {
      boolean unused = Files.deleteIfExists(one);
    }
  }

  @Override
  public boolean shows(Path source, Path target) throws IOException {
    return isTaken(target) && Files.exists(source) && Files.isSameFile(source, target);
  }

  @Override
  public boolean isTaken(Path target) throws IOException {
    return Files.exists(target) && uses.isMountPoint(target.toRealPath());
  }

  @Override
  public void show(Path source, Path target, boolean readOnly) throws IOException {
    if (Files.isDirectory(source)) {
      Files.createDirectories(target);
    } else if (!Files.exists(target)) {
      Files.createFile(target);
    }
    if (!source.equals(target) && isTaken(target)) {
      throw new FileSystemException(target.toString(), null, "something is mounted there");
    }
    run("mount", "--bind", source.toString(), target.toString());
    if (readOnly) {
      run("mount", "-o", "remount,bind,ro", target.toString());
    }
  }

  @Override
  public void hide(Path target) throws IOException {
    if (isTaken(target)) {
      run("umount", target.toString());
    }
  }

  private static void run(String... command) throws IOException {
    List<String> words = new ArrayList<>(Arrays.asList(command));
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    process.getOutputStream().close();
    try {
      byte[] told = process.getInputStream().readNBytes(LONGEST_COMPLAINT);
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command[0] + " has not ended within " + SECONDS + " s");
      }
      if (process.exitValue() != 0) {
        throw new IOException(
            command[0] + ": " + new String(told, java.nio.charset.StandardCharsets.UTF_8).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during " + command[0], e);
    }
  }

  @Override
  public String describe() {
    return "shown by bind mounts";
  }
}
