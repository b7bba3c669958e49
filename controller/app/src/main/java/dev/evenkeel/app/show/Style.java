package dev.evenkeel.app.show;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Help.Ansi;

/**
 * Characters and colours of the output: line drawing where the locale's character set has it, plain
 * ASCII elsewhere; colours where they are wanted and a terminal is. Immutable.
 */
public final class Style {
  /** What a colour says. */
  public enum Tone {
    /** As it should be. */
    GOOD("fg(green)"),
    /** Wrong. */
    BAD("fg(red),bold"),
    /** Put back, or waiting. */
    UNDONE("fg(yellow)"),
    /** A heading. */
    TITLE("bold"),
    /** Less important. */
    QUIET("faint"),
    /** Neither. */
    PLAIN("");

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
  public String tone(Tone tone, String text) {
    return ansi.enabled() && tone != Tone.PLAIN
        ? Ansi.Style.on(Ansi.Style.parse(tone.markup)) + text + Ansi.Style.reset.on()
        : text;
  }

  /**
   * Text that came from outside, as one line that a terminal only shows: control and format
   * characters, and what the character set does not have, become question marks.
   */
  public String harmless(String text) {
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

  /** The character set that the locale gives to standard output. */
  public static Charset outputCharset() {
    for (String property : List.of("stdout.encoding", "sun.stdout.encoding", "native.encoding")) {
      Optional<Charset> named = charset(System.getProperty(property, ""));
      if (named.isPresent()) {
        return named.get();
      }
    }
    return StandardCharsets.US_ASCII;
  }

  private static Optional<Charset> charset(String name) {
    try {
      return name.isEmpty() ? Optional.empty() : Optional.of(Charset.forName(name));
    } catch (IllegalCharsetNameException | UnsupportedCharsetException unknown) {
      return Optional.empty();
    }
  }
}
