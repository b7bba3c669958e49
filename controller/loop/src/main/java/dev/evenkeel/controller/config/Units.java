package dev.evenkeel.controller.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes, as people write them. */
final class Units {
  private static final Map<String, Duration> TIMES = new LinkedHashMap<>();
  private static final Map<String, Long> SIZES = new LinkedHashMap<>();
  private static final Pattern PART =
      Pattern.compile("\\s*([0-9]{1,12}(?:\\.[0-9]{1,9})?)\\s*([A-Za-z]+)");
  private static final int LONGEST = 100;

  static {
    TIMES.put("d", Duration.ofDays(1));
    TIMES.put("h", Duration.ofHours(1));
    TIMES.put("min", Duration.ofMinutes(1));
    TIMES.put("m", Duration.ofMinutes(1));
    TIMES.put("s", Duration.ofSeconds(1));
    TIMES.put("ms", Duration.ofMillis(1));
    TIMES.put("us", Duration.ofNanos(1000));
    TIMES.put("ns", Duration.ofNanos(1));
    SIZES.put("GiB", 1L << 30);
    SIZES.put("MiB", 1L << 20);
    SIZES.put("KiB", 1L << 10);
    SIZES.put("B", 1L);
  }

  private Units() {}

  /** {@code 5 s}, {@code 1h30m}, {@code 1.5 s}, {@code PT5S}; empty when it is none of those. */
  static Optional<Duration> duration(String text) {
    if (text.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      return text.startsWith("P") || text.startsWith("-P")
          ? Optional.of(Duration.parse(text))
          : sum(text);
    } catch (DateTimeParseException | ArithmeticException odd) {
      return Optional.empty();
    }
  }

  private static Optional<Duration> sum(String text) {
    Matcher part = PART.matcher(text);
    BigDecimal nanos = BigDecimal.ZERO;
    int end = 0;
    while (end < text.length() && part.find(end) && part.start() == end) {
      Duration unit = TIMES.get(part.group(2));
      if (unit == null) {
        return Optional.empty();
      }
      BigDecimal factor = new BigDecimal(part.group(1));
      nanos =
          nanos.add(
              factor.multiply(
                  BigDecimal.valueOf(unit.toSeconds())
                      .movePointRight(9)
                      .add(BigDecimal.valueOf(unit.toNanosPart()))));
      end = part.end();
    }
    if (end == 0 || !text.substring(end).isBlank()) {
      return Optional.empty();
    }
    BigDecimal[] seconds = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000));
    return Optional.of(Duration.ofSeconds(seconds[0].longValueExact(), seconds[1].longValue()));
  }

  /** {@code 64 MiB}, {@code 512 KiB}, {@code 100 B}; empty when it is none of those. */
  static Optional<Long> size(String text) {
    Matcher part = PART.matcher(text);
    Long unit = part.matches() ? SIZES.get(part.group(2)) : null;
    try {
      return unit == null
          ? Optional.empty()
          : Optional.of(Math.multiplyExact(Long.parseLong(part.group(1)), unit));
    } catch (NumberFormatException | ArithmeticException odd) {
      return Optional.empty();
    }
  }

  /** In the largest unit that it is a whole number of. */
  static String text(Duration duration) {
    for (Map.Entry<String, Duration> unit : TIMES.entrySet()) {
      Duration one = unit.getValue();
      if (!duration.isZero() && duration.equals(one.multipliedBy(duration.dividedBy(one)))) {
        return duration.dividedBy(one) + " " + unit.getKey();
      }
    }
    return "0 s";
  }

  /** In the largest unit that it is a whole number of. */
  static String text(long bytes) {
    for (Map.Entry<String, Long> unit : SIZES.entrySet()) {
      if (bytes > 0 && bytes % unit.getValue() == 0) {
        return bytes / unit.getValue() + " " + unit.getKey();
      }
    }
    return bytes + " B";
  }
}
