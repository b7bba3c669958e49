package dev.evenkeel.hostpath;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Copies by GNU {@code cp}, which can do two things that Java has no call for: share blocks where
 * the file system can (btrfs, XFS, bcachefs), and skip the holes of a sparse file without reading
 * them. Used only after a trial; links are copied as links.
 */
final class CpCopier implements Copier {
  /** No image can be named so. */
  private static final String TRIAL = ".copy-trial";

  private static final int SHOWN = 500;
  private static final long TRIAL_SECONDS = 10;

  private final Path program;
  private final String reflink;
  private final boolean durable;

  private CpCopier(Path program, String reflink, boolean durable) {
    this.program = program;
    this.reflink = reflink;
    this.durable = durable;
  }

  /**
   * The copier, when {@code cp} is there and has copied a small file in that directory.
   *
   * @param reflink {@code always} or {@code auto}
   */
  static Optional<Copier> tryIn(Path directory, String reflink, boolean durable)
      throws IOException {
    for (Path program : List.of(Path.of("/usr/bin/cp"), Path.of("/bin/cp"))) {
      if (Files.isExecutable(program)) {
        return works(program, directory, reflink)
            ? Optional.of(new CpCopier(program, reflink, durable))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static boolean works(Path program, Path directory, String reflink) throws IOException {
    Path trial = directory.resolve(TRIAL);
    boolean unused = Trees.remove(directory, TRIAL);
    try {
      Files.createDirectory(trial);
      Files.writeString(trial.resolve("a"), "trial", StandardCharsets.UTF_8);
      Process process =
          command(program, reflink, "a", "b")
              .directory(trial.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
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
      boolean unusedToo = Trees.remove(directory, TRIAL);
    }
  }

  @Override
  public String describe() {
    return "made by " + program + " --reflink=" + reflink;
  }

  /**
   * The copy is made under a name that no other process uses: a {@code cp} that has outlived its
   * killed parent must not write into the copy of the next.
   */
  @Override
  public void copy(Path from, String name, Path to, BooleanSupplier cancelled) throws IOException {
    String own = "copy-" + ProcessHandle.current().pid();
    Path fresh = to.resolveSibling(own);
    Path complaints = to.resolveSibling(own + ".err");
    Process process =
        command(program, reflink, name, fresh.toString())
            .directory(from.toFile())
            .redirectError(complaints.toFile())
            .start();
    int status = await(process, to, cancelled);
    if (status != 0) {
      throw new IOException("cp ended with " + status + ": " + beginning(complaints));
    }
    Files.delete(complaints);
    if (durable) {
      sync(fresh);
    }
    Files.move(fresh, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private static ProcessBuilder command(Path program, String reflink, String from, String to) {
    ProcessBuilder command =
        new ProcessBuilder(program.toString(), "-a", "--reflink=" + reflink, "--", from, to)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    command.environment().put("LC_ALL", "C"); // its complaints are read here
    return command;
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
      // The act is over only when nothing writes any more: then it can be undone or repeated.
      Process unused = process.destroyForcibly().onExit().join();
    }
  }

  private static String beginning(Path complaints) throws IOException {
    try (InputStream in = Files.newInputStream(complaints)) {
      return new String(in.readNBytes(SHOWN), StandardCharsets.UTF_8).strip();
    }
  }

  private static void sync(Path copy) throws IOException {
    Files.walkFileTree(
        copy,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isRegularFile()) {
              force(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            force(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void force(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
