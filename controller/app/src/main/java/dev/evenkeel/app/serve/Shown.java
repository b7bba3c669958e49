package dev.evenkeel.app.serve;

import dev.evenkeel.api.Fields;
import dev.evenkeel.api.Secret;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values as texts for operators. What looks like a secret by its name is masked, wherever it stands
 * in the value: as a field, in a map, in what a value prints of itself. Pure; any thread.
 */
public final class Shown {
  /** Longest text of one value. */
  static final int LONGEST = 2_000;

  private static final int DEEPEST = 8;
  private static final int MOST = 1_000;

  private static final String NAMES =
      "pass(?:word|wd|phrase)?|pwd|secrets?|credentials?|token|bearer|authorization"
          + "|api[._-]?key|private[._-]?key|access[._-]?key|encryption[._-]?key|user[._-]?key";

  private static final Pattern NAME =
      Pattern.compile("(?:.*[._/ -])?\\w*?(?:" + NAMES + ")", Pattern.CASE_INSENSITIVE);

  /** {@code name=value}, {@code name: value}, {@code "name": "value"} in running text. */
  private static final Pattern PAIR =
      Pattern.compile(
          "((?:"
              + NAMES
              + ")\"?\\s*[=:]\\s*)(?:(?:Bearer|Basic)\\s+)?(\"(?:[^\"\\\\]|\\\\.)*\"|[^\\s,;&)\\]}\"]+)",
          Pattern.CASE_INSENSITIVE);

  private Shown() {}

  /** Whether what has that name is nothing to show. */
  public static boolean isSecretName(String name) {
    return NAME.matcher(name).matches();
  }

  /** A text without the values of what looks like a secret. */
  public static String masked(String text) {
    return PAIR.matcher(text).replaceAll("$1" + Matcher.quoteReplacement(Secret.MASK));
  }

  /** Running text, masked and of limited length; what is far beyond that is not even looked at. */
  public static String text(String text, int length) {
    return cut(masked(cut(text, 2 * length)), length);
  }

  /** A value as a text of limited length. */
  public static String value(Object value) {
    StringBuilder out = new StringBuilder();
    append(out, value, 0);
    return text(out.toString(), LONGEST);
  }

  /** The same, when its key may say that it is a secret. */
  static String value(String key, Object value) {
    int slash = key.lastIndexOf('/');
    return isSecretName(key.substring(slash + 1)) ? Secret.MASK : value(value);
  }

  private static void append(StringBuilder out, Object value, int depth) {
    if (out.length() > LONGEST || depth > DEEPEST) {
      out.append("...");
    } else if (value instanceof Fields fields) {
      append(out, fields.toMap(), depth);
    } else if (value instanceof Map<?, ?> map) {
      map(out, map, depth);
    } else if (value instanceof Collection<?> list) {
      list(out, list, depth);
    } else if (value instanceof Optional<?> maybe) {
      maybe.ifPresentOrElse(inner -> append(out, inner, depth + 1), () -> out.append("absent"));
    } else if (value instanceof Record record) {
      record(out, record, depth);
    } else if (value instanceof byte[] bytes) {
      out.append(bytes.length).append(" bytes");
    } else {
      out.append(value);
    }
  }

  private static void map(StringBuilder out, Map<?, ?> map, int depth) {
    out.append('{');
    String comma = "";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = String.valueOf(entry.getKey());
      out.append(comma).append(name).append('=');
      named(out, name, entry.getValue(), depth);
      comma = ", ";
      if (out.length() > LONGEST) {
        break;
      }
    }
    out.append('}');
  }

  private static void list(StringBuilder out, Collection<?> list, int depth) {
    out.append('[');
    int shown = 0;
    for (Object each : list) {
      if (shown == MOST || out.length() > LONGEST) {
        out.append("...");
        break;
      }
      out.append(shown == 0 ? "" : ", ");
      append(out, String.valueOf(each).isEmpty() ? "" : each, depth + 1);
      shown++;
    }
    out.append(']');
  }

  /** Field by field, so that each has its name; one that cannot be read prints itself. */
  private static void record(StringBuilder out, Record record, int depth) {
    RecordComponent[] parts = record.getClass().getRecordComponents();
    StringBuilder inner = new StringBuilder();
    String comma = "";
    for (RecordComponent part : parts) {
      Object value;
      try {
        part.getAccessor().setAccessible(true);
        value = part.getAccessor().invoke(record);
      } catch (ReflectiveOperationException | RuntimeException unreadable) {
        out.append(record);
        return;
      }
      inner.append(comma).append(part.getName()).append('=');
      named(inner, part.getName(), value == null ? "null" : value, depth);
      comma = ", ";
    }
    out.append(record.getClass().getSimpleName()).append('[').append(inner).append(']');
  }

  private static void named(StringBuilder out, String name, Object value, int depth) {
    if (isSecretName(name)) {
      out.append(Secret.MASK);
    } else {
      append(out, value, depth + 1);
    }
  }

  /** At most so many characters, never half of a pair. */
  static String cut(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
    return text.substring(0, end) + "...";
  }

  /** Without lone halves of pairs, which UTF-8 does not have. */
  static String wellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints()
            .forEach(
                point ->
                    out.appendCodePoint(
                        point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE
                            ? '?'
                            : point));
        return out.toString();
      }
    }
    return text;
  }
}
