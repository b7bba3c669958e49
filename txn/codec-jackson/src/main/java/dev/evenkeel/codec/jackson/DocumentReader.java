package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.codec.jackson.Document.Format;
import dev.evenkeel.codec.jackson.Document.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON and YAML that people write: says where a text is wrong, and names every name that
 * stands twice. Called by whoever reads configuration; any thread, no I/O.
 *
 * <p>YAML needs {@code jackson-dataformat-yaml} beside this module; who reads none need not have
 * it. Only the stream of tokens is used, so nothing in a text can name a class.
 */
@Experimental
public final class DocumentReader {
  private final Limits limits;
  private final StreamReadConstraints constraints;
  private final JsonFactory json;
  private @Nullable TokenStreamFactory yaml;

  /** Texts within those limits. */
  public DocumentReader(Limits limits) {
    this.limits = limits;
    this.constraints =
        StreamReadConstraints.builder()
            .maxDocumentLength(limits.bytes())
            .maxNestingDepth(limits.depth() + 1)
            .maxStringLength(limits.string())
            .maxNameLength(4096)
            .maxNumberLength(64)
            .build();
    this.json =
        JsonFactory.builder()
            .streamReadConstraints(constraints)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();
  }

  /**
   * A text as a tree.
   *
   * @param what for messages, such as a file's name
   * @throws InvalidInputException saying where it is wrong, never what it holds
   */
  public Document read(String what, byte[] utf8, Format format) {
    if (utf8.length > limits.bytes()) {
      throw InvalidInputException.of(
          what, "size", "", "has " + utf8.length + " bytes, more than " + limits.bytes());
    }
    return new Reading(what, format == Format.YAML).read(factory(what, format), utf8);
  }

  private synchronized TokenStreamFactory factory(String what, Format format) {
    if (format == Format.JSON) {
      return json;
    }
    TokenStreamFactory made = yaml;
    if (made == null) {
      try {
        made = Yaml.factory(constraints);
      } catch (NoClassDefFoundError absent) {
        throw InvalidInputException.of(
            what, "format", "YAML", "needs jackson-dataformat-yaml beside it: add it, or use JSON");
      }
      yaml = made;
    }
    return made;
  }

  /** One text. */
  private final class Reading {
    private final String what;
    private final boolean isYaml;
    private final List<InvalidInputException.Fault> faults = new ArrayList<>();
    private final SortedMap<String, Place> places = new TreeMap<>();

    Reading(String what, boolean isYaml) {
      this.what = what;
      this.isYaml = isYaml;
    }

    Document read(TokenStreamFactory factory, byte[] utf8) {
      Object tree = Json.NULL;
      JsonParser parser = factory.createParser(ObjectReadContext.empty(), utf8);
      try (parser) {
        JsonToken first = parser.nextToken();
        if (first == null) {
          fault(new Place(1, 1), "is empty: an object without names is written {}");
        } else {
          tree = tree(parser, first, 0);
          if (parser.nextToken() != null) {
            fault(place(parser.currentTokenLocation()), "goes on after its end");
          }
        }
      } catch (JacksonException malformed) {
        // Its message may quote the text.
        fault(place(malformed.getLocation()), wrong());
      } catch (Stop stop) {
        fault(stop.place, stop.reason);
      } catch (RuntimeException odd) {
        fault(place(parser.currentLocation()), wrong());
      }
      if (!faults.isEmpty()) {
        throw new InvalidInputException(what, faults);
      }
      return new Document(tree, places);
    }

    private String wrong() {
      return isYaml
          ? "is not well formed: look at indentation, colons, quotes and special characters"
          : "is not well formed: look at commas, quotes and brackets";
    }

    private void fault(Place place, String reason) {
      faults.add(new InvalidInputException.Fault(place.toString(), "", reason));
    }

    private Object tree(JsonParser parser, JsonToken token, int depth) {
      Place at = place(parser.currentTokenLocation());
      if (depth > limits.depth()) {
        throw new Stop(at, "is more than " + limits.depth() + " deep");
      }
      if (isYaml && Yaml.isForbidden(parser)) {
        throw new Stop(at, "has an anchor, an alias or a tag: write the value out");
      }
      return switch (token) {
        case START_OBJECT -> object(parser, depth);
        case START_ARRAY -> array(parser, depth);
        case VALUE_STRING -> text(parser.getString(), at);
        case VALUE_NUMBER_INT -> integer(parser, at);
        case VALUE_NUMBER_FLOAT -> number(parser.getDoubleValue(), at);
        case VALUE_TRUE -> true;
        case VALUE_FALSE -> false;
        case VALUE_NULL -> Json.NULL;
        default -> throw new Stop(at, wrong());
      };
    }

    private SortedMap<String, Object> object(JsonParser parser, int depth) {
      SortedMap<String, Object> object = new TreeMap<>();
      String name;
      while ((name = parser.nextName()) != null) {
        Place at = place(parser.currentTokenLocation());
        if (object.containsKey(name)) {
          fault(at, "has the name " + shortened(name) + " a second time");
        }
        if (depth == 0) {
          places.putIfAbsent(name, at);
        }
        object.put(name, tree(parser, parser.nextToken(), depth + 1));
      }
      return object;
    }

    private List<Object> array(JsonParser parser, int depth) {
      List<Object> array = new ArrayList<>();
      JsonToken next;
      while ((next = parser.nextToken()) != JsonToken.END_ARRAY) {
        array.add(tree(parser, next, depth + 1));
      }
      return array;
    }

    private String text(String text, Place at) {
      if (text.length() > limits.string()) {
        throw new Stop(at, "has a text of more than " + limits.string() + " characters");
      }
      return text;
    }

    private long integer(JsonParser parser, Place at) {
      try {
        return parser.getLongValue();
      } catch (JacksonException tooLarge) {
        throw new Stop(at, "has a number of more than 64 bits");
      }
    }

    private double number(double number, Place at) {
      if (Double.isNaN(number) || Double.isInfinite(number)) {
        throw new Stop(at, "has a number that is none");
      }
      return number;
    }
  }

  private static String shortened(String name) {
    return name.length() <= 80 ? name : name.substring(0, 77) + "...";
  }

  private static Place place(@Nullable TokenStreamLocation location) {
    return location == null || location.getLineNr() < 1
        ? new Place(1, 1)
        : new Place(location.getLineNr(), Math.max(1, location.getColumnNr()));
  }

  /** A fault after which nothing more can be told. */
  private static final class Stop extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Place place;
    private final String reason;

    Stop(Place place, String reason) {
      super(reason, null, false, false);
      this.place = place;
      this.reason = reason;
    }
  }
}
