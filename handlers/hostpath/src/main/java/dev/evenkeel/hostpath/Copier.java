package dev.evenkeel.hostpath;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** Copies a file, or a directory with everything in it; links are copied as links. */
interface Copier {
  /**
   * Copies {@code name} in the directory {@code from} to the new path {@code to}.
   *
   * @param cancelled asked now and then; when it says yes the copying stops with an error
   */
  void copy(Path from, String name, Path to, BooleanSupplier cancelled) throws IOException;

  /** How it copies, for people. */
  String describe();
}
