package dev.evenkeel.app.workload;

import dev.evenkeel.api.volume.VolumeNames;
import dev.evenkeel.app.workload.JsonLine.Text;
import dev.evenkeel.app.workload.JsonLine.Texts;
import dev.evenkeel.app.workload.JsonLine.Value;
import dev.evenkeel.app.workload.JsonLine.Whole;
import java.math.BigInteger;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * Takes the fields of one line and checks them, and goes on after a fault: what it gives for a
 * faulty field is a harmless stand-in that nobody uses, as a line with a fault is never run.
 */
final class Binder {
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final String STAND_IN = "stand-in";

  private final Map<String, Value> fields;
  private final List<String> faults;
  private final Set<String> known = new LinkedHashSet<>();

  Binder(Map<String, Value> fields, List<String> faults) {
    this.fields = fields;
    this.faults = faults;
  }

  /** A text that may be missing. */
  Optional<String> optionalText(String field) {
    return taken(field)
        .flatMap(
            value -> value instanceof Text text ? Optional.of(text.text()) : noText(field, value));
  }

  /** The name of a volume or snapshot, which must be there. */
  String name(String field) {
    if (!fields.containsKey(field)) {
      missing(field, "add a name, such as \"data-1\"");
    }
    return optionalName(field).orElse(STAND_IN);
  }

  /** The name of a volume or snapshot. */
  Optional<String> optionalName(String field) {
    Optional<String> name = optionalText(field);
    if (name.isPresent() && !VolumeNames.fault(name.get()).isEmpty()) {
      fault(field, VolumeNames.fault(name.get()), '"' + name.get() + '"');
      return Optional.of(STAND_IN);
    }
    return name;
  }

  /** Bytes, which must be there. */
  long size(String field) {
    if (!fields.containsKey(field)) {
      missing(field, Sizes.FORM);
    }
    return optionalSize(field).orElse(0);
  }

  /** Bytes. */
  OptionalLong optionalSize(String field) {
    Optional<Value> value = taken(field);
    if (value.isEmpty()) {
      return OptionalLong.empty();
    }
    OptionalLong bytes = bytes(value.get());
    if (isNegative(value.get())) {
      fault(field, "must not be negative; " + Sizes.FORM, value.get().given());
    } else if (value.get() instanceof Whole && bytes.isEmpty()) {
      fault(field, "is more than " + MOST + " bytes; give less", value.get().given());
    } else if (bytes.isEmpty()) {
      fault(field, "is no size; " + Sizes.FORM, value.get().given());
    }
    return bytes;
  }

  private static boolean isNegative(Value value) {
    return value instanceof Whole whole
        ? whole.number().signum() < 0
        : value instanceof Text text && text.text().startsWith("-");
  }

  private static OptionalLong bytes(Value value) {
    if (value instanceof Text text) {
      return Sizes.parse(text.text());
    }
    return value instanceof Whole whole
            && whole.number().signum() >= 0
            && whole.number().compareTo(MOST) <= 0
        ? OptionalLong.of(whole.number().longValue())
        : OptionalLong.empty();
  }

  /** Whether the line has that field. */
  boolean has(String field) {
    return fields.containsKey(field);
  }

  /** Named texts; none when missing. */
  SortedMap<String, String> texts(String field) {
    Optional<Value> value = taken(field);
    if (value.isPresent() && value.get() instanceof Texts texts) {
      return texts.map();
    }
    value.ifPresent(
        other ->
            fault(field, "must be an object of texts, such as {\"pool\": \"a\"}", other.given()));
    return Collections.emptySortedMap();
  }

  /** Refuses the fields that nobody has taken. */
  void finish() {
    TreeSet<String> mayBe = new TreeSet<>(known);
    for (Map.Entry<String, Value> entry : fields.entrySet()) {
      if (!known.contains(entry.getKey())) {
        fault(shortened(entry.getKey()), "is not a field of this event; it has " + mayBe, "");
      }
    }
  }

  /** Notes a fault of a field; what was given is shortened. */
  void fault(String field, String reason, String given) {
    faults.add(
        field + ": " + reason + (given.isEmpty() ? "" : " (given: " + shortened(given) + ")"));
  }

  /** Notes that a field is missing, and what to do. */
  void missing(String field, String advice) {
    faults.add(field + ": is missing; " + advice);
  }

  private Optional<Value> taken(String field) {
    known.add(field);
    return Optional.ofNullable(fields.get(field));
  }

  private Optional<String> noText(String field, Value value) {
    fault(field, "must be a text in double quotes", value.given());
    return Optional.empty();
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 57) + "...";
  }
}
