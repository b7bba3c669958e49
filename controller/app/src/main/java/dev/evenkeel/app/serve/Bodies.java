package dev.evenkeel.app.serve;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Reads what is posted: an object of texts, numbers and truth values. Pure. */
final class Bodies {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private Bodies() {}

  static Map<String, String> read(byte[] utf8) {
    Map<String, String> read = new LinkedHashMap<>();
    try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), utf8)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw Problem.of(400, "the body must be an object: names with values");
      }
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (value == null || !value.isScalarValue()) {
          throw Problem.invalid(name, "", "must be a text, a number, true or false");
        }
        read.put(name, json.getString());
      }
      if (json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
        throw Problem.of(400, "the body must be one object");
      }
    } catch (JacksonException malformed) {
      throw Problem.of(400, "the body is not JSON: " + malformed.getOriginalMessage());
    }
    return read;
  }
}
