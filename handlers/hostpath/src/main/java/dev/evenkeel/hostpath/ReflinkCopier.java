package dev.evenkeel.hostpath;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Copies by sharing blocks, on file systems that can (btrfs, XFS, bcachefs): Java has no call for
 * it, so GNU {@code cp} does it. Used only where a trial at start has shown that blocks are shared.
 */
final class ReflinkCopier implements Copier {
  private static final int SHOWN = 500;
  private static final long TRIAL_SECONDS = 10;

  private final Path program;
  private final String mode;

  ReflinkCopier(Path program, String mode) {
    this.program = program;
    this.mode = mode;
  }

  /** The copier, when {@code cp} is there and can share blocks in that directory. */
  static Optional<Copier> tryIn(Path directory) throws IOException {
    for (Path program : List.of(Path.of("/usr/bin/cp"), Path.of("/bin/cp"))) {
      if (Files.isExecutable(program)) {
        return shares(program, directory)
            ? Optional.of(new ReflinkCopier(program, "always"))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static boolean shares(Path program, Path directory) throws IOException {
    Path trial = Files.createTempDirectory(directory, "reflink-trial-");
    try {
      Files.writeString(trial.resolve("a"), "trial", StandardCharsets.UTF_8);
      Process process =
          new ProcessBuilder(program.toString(), "--reflink=always", "--", "a", "b")
              .directory(trial.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return false;
      }
      return process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while trying cp", e);
    } finally {
      boolean unused = Trees.remove(directory, trial.getFileName().toString());
    }
  }

  @Override
  public String describe() {
    return "copied by sharing blocks (" + program + " --reflink=" + mode + ")";
  }

  @Override
  public void copy(Path from, String name, Path to, BooleanSupplier cancelled) throws IOException {
    Path complaints = Files.createTempFile(to.getParent(), "cp-", ".err");
    try {
      Process process =
          new ProcessBuilder(
                  program.toString(), "-a", "--reflink=" + mode, "--", name, to.toString())
              .directory(from.toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(complaints.toFile())
              .start();
      int status = await(process, to, cancelled);
      if (status != 0) {
        throw new IOException("cp ended with " + status + ": " + beginning(complaints));
      }
    } finally {
      Files.deleteIfExists(complaints);
    }
  }

  private static int await(Process process, Path to, BooleanSupplier cancelled) throws IOException {
    try {
      while (!process.waitFor(100, TimeUnit.MILLISECONDS)) {
        if (cancelled.getAsBoolean()) {
          throw new EvenkeelException(ErrorKind.CANCELLED, "copying stopped at " + to);
        }
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EvenkeelException(ErrorKind.CANCELLED, "interrupted while copying to " + to, e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String beginning(Path complaints) throws IOException {
    try (InputStream in = Files.newInputStream(complaints)) {
      return new String(in.readNBytes(SHOWN), StandardCharsets.UTF_8).strip();
    }
  }
}
