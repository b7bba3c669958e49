package dev.evenkeel.controller.recording;

/**
 * Where a recorder's lines go. Called on the loop's thread, but for {@link #close}; what it throws
 * stops the loop.
 */
interface Lines {
  /** One more line, with its end. */
  void line(byte[] line);

  /** An input has been written; its turn may have effects that nobody tells of. */
  void input();

  /** The next thing that happens is an effect or an answer. */
  void effect();

  /** A new segment begins with that line. */
  void segment(byte[] header);

  /** No more lines. Idempotent. */
  void close();
}
