package dev.evenkeel.csi;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import dev.evenkeel.csi.v1.CsiProto;
import java.util.List;
import java.util.Map;

/**
 * A message for the log, on one line: of secrets only their names, and of mount flags nothing, as
 * they may hold some; texts cut where they are long.
 */
final class Masked {
  private static final int LONGEST = 200;

  private Masked() {}

  static String text(Message message) {
    StringBuilder out = new StringBuilder();
    message(message, out);
    return out.toString();
  }

  private static void message(Message message, StringBuilder out) {
    out.append('{');
    boolean first = true;
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      if (!first) {
        out.append(", ");
      }
      first = false;
      out.append(field.getKey().getName()).append('=');
      value(field.getKey(), field.getValue(), out);
    }
    out.append('}');
  }

  private static void value(FieldDescriptor field, Object value, StringBuilder out) {
    boolean secret =
        field.getOptions().getExtension(CsiProto.csiSecret)
            || field.getName().equals("mount_flags");
    if (value instanceof List<?> list) {
      out.append('[');
      for (int i = 0; i < list.size(); i++) {
        out.append(i == 0 ? "" : ", ");
        one(list.get(i), secret, out);
      }
      out.append(']');
    } else {
      one(value, secret, out);
    }
  }

  private static void one(Object value, boolean secret, StringBuilder out) {
    if (value instanceof MapEntry<?, ?> entry) {
      cut(String.valueOf(entry.getKey()), out);
      out.append(':');
      one(entry.getValue(), secret, out);
    } else if (secret) {
      out.append("***");
    } else if (value instanceof Message message) {
      message(message, out);
    } else {
      cut(String.valueOf(value), out);
    }
  }

  /** Nothing that a line of the log could be forged with. */
  private static void cut(String text, StringBuilder out) {
    String line = text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    line.chars().forEach(c -> out.append(Character.isISOControl(c) ? '?' : (char) c));
  }
}
