package dev.evenkeel.app;

/** What the process says at its end. */
final class ExitStatus {
  /** Every event ended as expected, and the disk holds what the history says. */
  static final int AS_EXPECTED = 0;

  /** Some event ended otherwise, or the disk differs. */
  static final int DIFFERENT = 1;

  /** The command line is wrong, or a file that it names cannot be read. */
  static final int USAGE = 2;

  /** The run could not begin or go on. */
  static final int CANNOT_GO_ON = 3;

  private ExitStatus() {}
}
