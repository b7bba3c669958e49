package dev.evenkeel.app.show;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import picocli.CommandLine.Help.Ansi;

/**
 * Characters and colours of the output: line drawing where the locale's character set has it, plain
 * ASCII elsewhere; colours where they are wanted and a terminal is. Immutable.
 */
public final class Style {
  /** What a colour says. */
  enum Tone {
    GOOD("fg(green)"),
    BAD("fg(red),bold"),
    UNDONE("fg(yellow)"),
    TITLE("bold"),
    QUIET("faint");

    private final String markup;

    Tone(String markup) {
      this.markup = markup;
    }
  }

  private static final String DRAWN = "┌├└│─→·";

  private final CharsetEncoder encoder;
  private final boolean drawn;
  private final Ansi ansi;

  private Style(Charset charset, Ansi ansi) {
    this.encoder = charset.newEncoder();
    this.drawn = encoder.canEncode(DRAWN);
    this.ansi = ansi;
  }

  /** The style for an output of that character set. */
  public static Style of(Charset charset, Ansi ansi) {
    return new Style(charset, ansi);
  }

  String open() {
    return drawn ? "┌ " : "+- ";
  }

  String middle() {
    return drawn ? "├ " : "+- ";
  }

  String side() {
    return drawn ? "│ " : "|  ";
  }

  String shut() {
    return drawn ? "└ " : "+- ";
  }

  String arrow() {
    return drawn ? " → " : " -> ";
  }

  String dot() {
    return drawn ? " · " : ", ";
  }

  String rule(int length) {
    return (drawn ? "─" : "-").repeat(length);
  }

  /** Text in a colour; text that came from outside is made harmless first. */
  String tone(Tone tone, String text) {
    return ansi.enabled()
        ? Ansi.Style.on(Ansi.Style.parse(tone.markup)) + text + Ansi.Style.reset.on()
        : text;
  }

  /**
   * Text that came from outside, as one line that a terminal only shows: control and format
   * characters, and what the character set does not have, become question marks.
   */
  String harmless(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      String shown = Character.toString(c);
      int type = Character.getType(c);
      boolean harmful =
          type == Character.CONTROL
              || type == Character.FORMAT
              || type == Character.SURROGATE
              || type == Character.LINE_SEPARATOR
              || type == Character.PARAGRAPH_SEPARATOR;
      out.append(harmful || !encoder.canEncode(shown) ? "?" : shown);
      i += Character.charCount(c);
    }
    return out.toString();
  }
}
