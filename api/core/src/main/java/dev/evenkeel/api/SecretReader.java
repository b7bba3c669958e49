package dev.evenkeel.api;

/** The right to read secrets: implemented by Evenkeel's step contexts alone, not by users. */
public interface SecretReader {
  /**
   * Throws {@link IllegalStateException} when the step that this belongs to has ended, or off its
   * worker.
   */
  void checkReadable();
}
