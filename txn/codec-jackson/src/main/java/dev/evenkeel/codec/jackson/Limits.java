package dev.evenkeel.codec.jackson;

/**
 * What a stored text may be at most. Given to the codecs by whoever configures them.
 *
 * @param bytes of the whole text
 * @param depth of nesting
 * @param string characters of one text inside it
 */
public record Limits(int bytes, int depth, int string) {
  /** For stored values: 2 MiB, 32 deep; a text as long as the longest event of a journal. */
  public static final Limits VALUES = new Limits(2 << 20, 32, 1 << 19);

  /** For events and recordings, which may hold a whole input state: 64 MiB, 32 deep. */
  public static final Limits EVENTS = new Limits(1 << 26, 32, 1 << 20);

  /** Refuses limits that are not positive. */
  public Limits {
    if (bytes < 1 || depth < 1 || string < 1) {
      throw new IllegalArgumentException("limits are positive");
    }
  }
}
