package dev.evenkeel.app.workload;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * One line as a flat JSON object. Read token by token, so that a name given twice is seen and every
 * fault of a line can be told at once.
 */
final class JsonLine {
  /** What a field may hold. */
  sealed interface Value {
    /** For error texts: what was given. */
    String given();
  }

  record Text(String text) implements Value {
    @Override
    public String given() {
      return "\"" + text + "\"";
    }
  }

  record Whole(BigInteger number) implements Value {
    @Override
    public String given() {
      return number.toString();
    }
  }

  record Texts(SortedMap<String, String> map) implements Value {
    @Override
    public String given() {
      return "an object";
    }
  }

  record Other(String given) implements Value {}

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(16)
                  .maxNumberLength(100)
                  .maxDocumentLength(RawLines.LONGEST)
                  .build())
          .build();

  private final List<String> faults;

  private JsonLine(List<String> faults) {
    this.faults = faults;
  }

  /** The fields of a line in their order; what is wrong goes to the faults. */
  static Map<String, Value> read(String line, List<String> faults) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        faults.add("is not a JSON object; each line is one, such as {\"event\": …}");
        return Map.of();
      }
      Map<String, Value> fields = new JsonLine(faults).fields(parser);
      if (parser.nextToken() != null) {
        faults.add("goes on behind its JSON object; write one object on a line");
      }
      return fields;
    } catch (JacksonException broken) {
      faults.add(
          "is not JSON at column " + broken.getLocation().getColumnNr() + ": " + reason(broken));
      return Map.of();
    }
  }

  /** Jackson's own words, without what it says about its source. */
  private static String reason(JacksonException broken) {
    String message = String.valueOf(broken.getOriginalMessage());
    int source = message.indexOf(" (start marker at [Source");
    return source < 0 ? message : message.substring(0, source);
  }

  private Map<String, Value> fields(JsonParser parser) {
    Map<String, Value> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (fields.put(name, value(name, parser)) != null) {
        faults.add(name + ": is given more than once; write it once");
      }
    }
    return fields;
  }

  private Value value(String name, JsonParser parser) {
    return switch (parser.currentToken()) {
      case VALUE_STRING -> new Text(parser.getString());
      case VALUE_NUMBER_INT -> new Whole(parser.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> new Other(parser.getString());
      case START_OBJECT -> texts(name, parser);
      case START_ARRAY -> {
        parser.skipChildren();
        yield new Other("a list");
      }
      default -> new Other(parser.getString());
    };
  }

  private Value texts(String name, JsonParser parser) {
    SortedMap<String, String> map = new TreeMap<>();
    boolean flat = true;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = parser.currentName();
      if (parser.nextToken() == JsonToken.VALUE_STRING) {
        if (map.put(key, parser.getString()) != null) {
          faults.add(name + "." + key + ": is given more than once; write it once");
        }
      } else {
        parser.skipChildren();
        flat = false;
      }
    }
    return flat ? new Texts(map) : new Other("an object with more than texts in it");
  }
}
