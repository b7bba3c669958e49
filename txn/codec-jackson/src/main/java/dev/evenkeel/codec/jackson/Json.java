package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON as plain trees: {@link String}, {@link Boolean}, {@link Long}, {@link Double}, {@link List},
 * {@link SortedMap} by name, and {@link #NULL}. What is written is one compact line with sorted
 * names. Called by the codecs and by programs that read or print JSON; pure, any thread.
 *
 * <p>Only Jackson's stream of tokens is used: no data binding, so nothing in a text can name a
 * class, and nothing has to be looked up when a program starts.
 */
public final class Json {
  /** JSON's null. */
  public static final Object NULL =
      new Object() {
        @Override
        public String toString() {
          return "null";
        }
      };

  private final Limits limits;
  private final JsonFactory factory;

  /** JSON within those limits. */
  public Json(Limits limits) {
    this.limits = limits;
    this.factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxDocumentLength(limits.bytes())
                    .maxNestingDepth(limits.depth())
                    .maxStringLength(limits.string())
                    .maxNameLength(4096)
                    .maxNumberLength(64)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .enable(StreamWriteFeature.STRICT_DUPLICATE_DETECTION)
            .build();
  }

  /**
   * A text as a tree.
   *
   * @throws InvalidInputException saying where the text is wrong, never what it holds
   */
  public Object parse(String text) {
    return parse(text.getBytes(StandardCharsets.UTF_8));
  }

  /** As {@link #parse(String)}, of UTF-8. */
  public Object parse(byte[] utf8) {
    if (utf8.length > limits.bytes()) {
      throw invalid("has " + utf8.length + " bytes, more than " + limits.bytes());
    }
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), utf8)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw invalid("is empty");
      }
      Object tree = tree(parser, first);
      if (parser.nextToken() != null) {
        throw invalid("goes on after its end");
      }
      return tree;
    } catch (JacksonException malformed) {
      // Its message and its cause's may quote the text.
      var at = malformed.getLocation();
      throw invalid(
          "is not well formed, too deep or too long"
              + (at == null ? "" : ", near column " + at.getColumnNr()));
    }
  }

  /** A tree as one line. */
  public String write(Object tree) {
    return new String(bytes(tree), StandardCharsets.UTF_8);
  }

  /** A tree as one line of UTF-8; throws {@link InvalidInputException} when it is too large. */
  public byte[] bytes(Object tree) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try (JsonGenerator generator = factory.createGenerator(ObjectWriteContext.empty(), out)) {
      write(generator, tree, 0);
    } catch (JacksonException failed) {
      throw invalid("holds text that is not Unicode");
    }
    if (out.size() > limits.bytes()) {
      throw invalid("would have " + out.size() + " bytes, more than " + limits.bytes());
    }
    return out.toByteArray();
  }

  private static Object tree(JsonParser parser, JsonToken token) {
    return switch (token) {
      case START_OBJECT -> {
        SortedMap<String, Object> object = new TreeMap<>();
        String name;
        while ((name = parser.nextName()) != null) {
          object.put(name, tree(parser, parser.nextToken()));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        JsonToken next;
        while ((next = parser.nextToken()) != JsonToken.END_ARRAY) {
          array.add(tree(parser, next));
        }
        yield array;
      }
      case VALUE_STRING -> unicode(parser.getString());
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> NULL;
      default -> throw invalid("is not well formed");
    };
  }

  private void write(JsonGenerator out, Object tree, int depth) {
    if (depth > limits.depth()) {
      throw invalid("would be more than " + limits.depth() + " deep");
    }
    if (tree instanceof Map<?, ?> object) {
      out.writeStartObject();
      for (Map.Entry<?, ?> entry : new TreeMap<>(object).entrySet()) {
        out.writeName((String) entry.getKey());
        write(out, entry.getValue(), depth + 1);
      }
      out.writeEndObject();
    } else if (tree instanceof List<?> array) {
      out.writeStartArray();
      for (Object element : array) {
        write(out, element, depth + 1);
      }
      out.writeEndArray();
    } else if (tree instanceof String text) {
      if (text.length() > limits.string()) {
        throw invalid("would hold a text of more than " + limits.string() + " characters");
      }
      out.writeString(unicode(text));
    } else if (tree instanceof Boolean truth) {
      out.writeBoolean(truth);
    } else if (tree instanceof Long || tree instanceof Integer) {
      out.writeNumber(((Number) tree).longValue());
    } else if (tree instanceof Double number && !number.isNaN() && !number.isInfinite()) {
      out.writeNumber(number);
    } else if (tree == NULL) {
      out.writeNull();
    } else {
      throw invalid("cannot hold a " + tree.getClass().getSimpleName());
    }
  }

  /** Half a surrogate pair cannot be written as UTF-8. */
  private static String unicode(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)
          && (i + 1 == text.length() || !Character.isSurrogatePair(c, text.charAt(++i)))) {
        throw invalid("holds text that is not Unicode");
      }
    }
    return text;
  }

  private static InvalidInputException invalid(String reason) {
    return InvalidInputException.of("JSON", "text", "", reason);
  }
}
