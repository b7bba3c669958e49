package dev.evenkeel.app.serve;

import dev.evenkeel.api.InvalidInputException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parameters of one request, read by name. Whatever is wrong with any of them is collected;
 * {@link #check} throws it all at once.
 */
public final class Params {
  /** Longest text that a parameter may have. */
  private static final int LONGEST = 4_096;

  private static final Pattern AGO = Pattern.compile("-?(\\d{1,9}) ?(ms|s|m|min|h|d)");
  private static final Pattern SECONDS = Pattern.compile("\\d{1,12}(\\.\\d{1,9})?");

  private final Map<String, List<String>> given;
  private final Supplier<Instant> now;
  private final List<InvalidInputException.Fault> faults = new ArrayList<>();

  Params(Map<String, List<String>> given, Supplier<Instant> now) {
    this.given = given;
    this.now = now;
    given.forEach(
        (name, values) -> {
          if (values.size() > 1) {
            fault(name, String.join(", ", values), "is given more than once");
          } else if (values.get(0).length() > LONGEST) {
            fault(name, values.get(0), "is longer than " + LONGEST + " characters");
          }
        });
  }

  /** Refuses names that nobody asks for. */
  void onlyKnown(Set<String> known) {
    for (String name : given.keySet()) {
      if (!known.contains(name)) {
        fault(
            name,
            "",
            known.isEmpty()
                ? "is not known; there are no parameters here"
                : "is not known; there are: " + String.join(", ", known));
      }
    }
  }

  /** Something is wrong with one. */
  public void fault(String field, String given, String reason) {
    faults.add(new InvalidInputException.Fault(field, given, reason));
  }

  /** Throws what is wrong, if anything is. */
  public void check() {
    if (!faults.isEmpty()) {
      throw Problem.invalid(faults);
    }
  }

  /** As it was given. */
  public Optional<String> text(String name) {
    List<String> values = given.get(name);
    return values == null || values.isEmpty() ? Optional.empty() : Optional.of(values.get(0));
  }

  /** As it was given; a fault when it was not, or is empty. */
  public String required(String name) {
    Optional<String> text = text(name).filter(value -> !value.isEmpty());
    if (text.isEmpty()) {
      fault(name, "", "is needed");
    }
    return text.orElse("");
  }

  /** A whole number that is not negative. */
  public OptionalLong number(String name) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    if (!text.get().matches("\\d{1,18}")) {
      fault(name, text.get(), "must be a whole number, not negative");
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(text.get()));
  }

  /** How many at most: from 1 to a limit. */
  int limit(String name, int usual, int most) {
    long limit = number(name).orElse(usual);
    if (limit < 1 || limit > most) {
      fault(name, Long.toString(limit), "must be from 1 to " + most);
      return usual;
    }
    return (int) limit;
  }

  boolean flag(String name) {
    String text = text(name).orElse("false").toLowerCase(Locale.ROOT);
    if (!Set.of("true", "false", "1", "0", "").contains(text)) {
      fault(name, text, "must be true or false");
    }
    return text.equals("true") || text.equals("1") || text.isEmpty();
  }

  /** One of the constants of an enum, in any case, with dashes for underscores. */
  <E extends Enum<E>> Optional<E> oneOf(String name, Class<E> type) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    for (E each : type.getEnumConstants()) {
      if (each.name().equalsIgnoreCase(text.get().replace('-', '_'))) {
        return Optional.of(each);
      }
    }
    fault(name, text.get(), "must be one of " + words(type));
    return Optional.empty();
  }

  static <E extends Enum<E>> String words(Class<E> type) {
    return String.join(
        ", ",
        Arrays.stream(type.getEnumConstants())
            .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .toList());
  }

  /** A time: ISO 8601, seconds since 1970, or so long ago: {@code -15m}. */
  Optional<Instant> time(String name) {
    return text(name).flatMap(text -> time(name, text));
  }

  private Optional<Instant> time(String name, String text) {
    try {
      if (SECONDS.matcher(text).matches()) {
        String[] parts = text.split("\\.", 2);
        long nanos =
            parts.length == 1 ? 0 : Long.parseLong((parts[1] + "000000000").substring(0, 9));
        return Optional.of(Instant.ofEpochSecond(Long.parseLong(parts[0]), nanos));
      }
      Matcher ago = AGO.matcher(text);
      if (ago.matches()) {
        return Optional.of(now.get().minus(amount(Long.parseLong(ago.group(1)), ago.group(2))));
      }
      return Optional.of(java.time.OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException | ArithmeticException wrong) {
      fault(
          name,
          text,
          "must be a time: 2026-01-31T12:00:00Z, seconds since 1970, or -15m for so long ago");
      return Optional.empty();
    }
  }

  private static Duration amount(long count, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(count);
      case "s" -> Duration.ofSeconds(count);
      case "h" -> Duration.ofHours(count);
      case "d" -> Duration.ofDays(count);
      default -> Duration.ofMinutes(count);
    };
  }
}
