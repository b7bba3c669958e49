package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.InvalidInputException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A value that is one text, number or truth. */
final class ScalarShape extends Shape {
  private static final Map<Class<?>, ScalarShape> KNOWN =
      Map.ofEntries(
          text(String.class, s -> s, s -> s, "a text"),
          text(
              Instant.class,
              Instant::toString,
              Instant::parse,
              "a time such as 2026-01-31T12:00:00Z"),
          text(Duration.class, Duration::toString, Duration::parse, "a duration such as PT1.5S"),
          text(UUID.class, UUID::toString, UUID::fromString, "a UUID"),
          Map.entry(
              Boolean.class,
              new ScalarShape(
                  v -> v, ScalarShape::truth, ScalarShape::parseTruth, "true or false")),
          whole(Byte.class, Byte.MIN_VALUE, Byte.MAX_VALUE, Long::byteValue),
          whole(Short.class, Short.MIN_VALUE, Short.MAX_VALUE, Long::shortValue),
          whole(Integer.class, Integer.MIN_VALUE, Integer.MAX_VALUE, Long::intValue),
          whole(Long.class, Long.MIN_VALUE, Long.MAX_VALUE, v -> v),
          fraction(Float.class, Double::floatValue),
          fraction(Double.class, v -> v));

  private static final Map<Class<?>, Class<?>> BOXES =
      Map.of(
          boolean.class, Boolean.class,
          byte.class, Byte.class,
          short.class, Short.class,
          int.class, Integer.class,
          long.class, Long.class,
          float.class, Float.class,
          double.class, Double.class);

  private final Function<Object, Object> to;
  private final Function<Object, Optional<Object>> from;
  private final Function<String, Object> parse;
  private final String wanted;

  private ScalarShape(
      Function<Object, Object> to,
      Function<Object, Optional<Object>> from,
      Function<String, Object> parse,
      String wanted) {
    this.to = to;
    this.from = from;
    this.parse = parse;
    this.wanted = wanted;
  }

  static @Nullable ScalarShape of(Class<?> type) {
    return KNOWN.get(BOXES.getOrDefault(type, type));
  }

  /** A type whose values are names out of a closed set. */
  static ScalarShape names(
      Function<Object, String> to, Function<String, Optional<Object>> from, String wanted) {
    return new ScalarShape(
        to::apply,
        tree -> tree instanceof String s ? from.apply(s) : Optional.empty(),
        s -> s,
        wanted);
  }

  @Override
  Object toTree(Object value, Path path) {
    Object tree = to.apply(value);
    if (tree instanceof Double d && (d.isNaN() || d.isInfinite())) {
      throw InvalidInputException.of("value", path.toString(), "", "must be a finite number");
    }
    return tree;
  }

  @Override
  Object fromTree(Object tree, Path path) {
    return from.apply(tree).orElseThrow(() -> Malformed.at(path, "must be " + wanted));
  }

  @Override
  Object unflatten(SortedMap<String, String> below, Path path) {
    String text = below.get("");
    if (text == null || below.size() != 1) {
      throw Malformed.at(path, "must be " + wanted);
    }
    try {
      return parse.apply(text);
    } catch (NumberFormatException odd) {
      throw Malformed.at(path, "must be " + wanted);
    }
  }

  private static <T> Map.Entry<Class<?>, ScalarShape> text(
      Class<T> type, Function<T, String> to, Function<String, T> from, String wanted) {
    return Map.entry(
        type,
        new ScalarShape(
            value -> to.apply(type.cast(value)),
            tree -> {
              try {
                return tree instanceof String s ? Optional.of(from.apply(s)) : Optional.empty();
              } catch (DateTimeException | IllegalArgumentException odd) {
                return Optional.empty();
              }
            },
            s -> s,
            wanted));
  }

  private static Map.Entry<Class<?>, ScalarShape> whole(
      Class<?> type, long least, long most, Function<Long, Object> narrow) {
    return Map.entry(
        type,
        new ScalarShape(
            value -> ((Number) value).longValue(),
            tree ->
                tree instanceof Long n && n >= least && n <= most
                    ? Optional.of(narrow.apply(n))
                    : Optional.empty(),
            Long::parseLong,
            "a whole number from " + least + " to " + most));
  }

  private static Map.Entry<Class<?>, ScalarShape> fraction(
      Class<?> type, Function<Double, Object> narrow) {
    return Map.entry(
        type,
        new ScalarShape(
            value -> ((Number) value).doubleValue(),
            tree ->
                tree instanceof Number n && Double.isFinite(n.doubleValue())
                    ? Optional.of(narrow.apply(n.doubleValue()))
                    : Optional.empty(),
            Double::parseDouble,
            "a number"));
  }

  private static Optional<Object> truth(Object tree) {
    return tree instanceof Boolean ? Optional.of(tree) : Optional.empty();
  }

  private static Object parseTruth(String text) {
    return text.equals("true") || text.equals("false") ? (Object) text.equals("true") : text;
  }
}
