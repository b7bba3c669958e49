package dev.evenkeel.app.serve;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.core.util.ByteArrayBuilder;

/**
 * Writes plain trees (maps, lists, texts, numbers, truth values) as JSON. Nothing else gets
 * through: an object that happens to be in a tree is an error of the program, and is not written.
 */
public final class JsonText {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private JsonText() {}

  /** The tree as bytes of UTF-8; ASCII only. */
  public static byte[] of(Object tree) {
    try (ByteArrayBuilder out = new ByteArrayBuilder()) {
      try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
        write(json, tree);
      }
      return out.toByteArray();
    }
  }

  /** Writes a tree into a JSON text under way. */
  public static void write(JsonGenerator json, Object tree) {
    if (tree instanceof Map<?, ?> map) {
      json.writeStartObject();
      map.forEach(
          (name, value) -> {
            json.writeName(String.valueOf(name));
            write(json, value);
          });
      json.writeEndObject();
    } else if (tree instanceof Collection<?> list) {
      json.writeStartArray();
      list.forEach(one -> write(json, one));
      json.writeEndArray();
    } else if (tree instanceof Optional<?> maybe) {
      if (maybe.isPresent()) {
        write(json, maybe.get());
      } else {
        json.writeNull();
      }
    } else if (tree instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else if (tree instanceof Integer || tree instanceof Long) {
      json.writeNumber(((Number) tree).longValue());
    } else if (tree instanceof Number number) {
      json.writeNumber(number.doubleValue());
    } else if (tree instanceof CharSequence || tree instanceof Enum<?>) {
      json.writeString(Shown.wellFormed(tree.toString()));
    } else {
      throw new IllegalArgumentException("not part of a tree: " + tree.getClass().getName());
    }
  }
}
