package dev.evenkeel.controller.config;

import dev.evenkeel.controller.core.LoopConfig.Verification;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * How the value of an option is written: read and shown.
 *
 * @param <T> type of the value
 */
record Form<T>(String name, Reader<T> reader, Writer<T> writer) {
  /** Reads a value out of a tree. */
  interface Reader<T> {
    T read(Object tree) throws Wrong;
  }

  /** Shows a value as it would be written. */
  interface Writer<T> {
    String write(T value);
  }

  static final Form<Integer> COUNT =
      new Form<>(
          "count",
          tree -> {
            long count = whole(tree).orElseThrow(() -> new Wrong("must be a whole number"));
            if (count != (int) count) {
              throw new Wrong("must be a whole number of at most 31 bits");
            }
            return (int) count;
          },
          String::valueOf);

  static final Form<Long> SIZE =
      new Form<>(
          "size",
          tree ->
              whole(tree)
                  .or(() -> tree instanceof String text ? Units.size(text) : Optional.empty())
                  .orElseThrow(
                      () -> new Wrong("must be a size such as 64 MiB, or a number of bytes")),
          Units::text);

  static final Form<Duration> TIME = new Form<>("duration", Form::time, Units::text);

  static final Form<Optional<Duration>> TIME_OR_OFF =
      new Form<>(
          "duration, or off",
          tree -> isOff(tree) ? Optional.empty() : Optional.of(time(tree)),
          time -> time.map(Units::text).orElse("off"));

  static final Form<Verification> VERIFICATION =
      new Form<>(
          "off, upstream or downstream",
          Form::verification,
          value -> value.name().toLowerCase(Locale.ROOT));

  /** Whether it says that something is not wanted. */
  static boolean isOff(Object tree) {
    return tree.equals("off") || tree.equals(false);
  }

  static Optional<Long> whole(Object tree) {
    if (tree instanceof Long || tree instanceof Integer) {
      return Optional.of(((Number) tree).longValue());
    }
    boolean digits = tree instanceof String text && text.matches("-?[0-9]{1,18}");
    return digits ? Optional.of(Long.parseLong((String) tree)) : Optional.empty();
  }

  static Duration time(Object tree) throws Wrong {
    if (whole(tree).isPresent()) {
      throw new Wrong("needs a unit: 5 s, 30m, 1h30m, 500 ms or PT5S");
    }
    return Optional.of(tree)
        .filter(String.class::isInstance)
        .flatMap(text -> Units.duration((String) text))
        .orElseThrow(() -> new Wrong("must be a duration such as 5 s, 30m, 1h30m, 500 ms or PT5S"));
  }

  private static Verification verification(Object tree) throws Wrong {
    if (isOff(tree)) {
      return Verification.OFF;
    }
    for (Verification value : Verification.values()) {
      if (value.name().toLowerCase(Locale.ROOT).equals(tree)) {
        return value;
      }
    }
    throw new Wrong("must be off, upstream or downstream");
  }
}
