package dev.evenkeel.controller.config;

import dev.evenkeel.api.InvalidInputException.Fault;
import dev.evenkeel.api.txn.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The option {@code retry}: off, or an object; what it leaves out is as usual. */
final class Retry {
  static final List<String> NAMES = List.of("first", "factor", "cap", "attempts", "jitter");
  private final Map<String, Object> given;
  private final List<Fault> faults;
  private int wrong;

  private Retry(Map<String, Object> given, List<Fault> faults) {
    this.given = given;
    this.faults = faults;
  }

  static String text(Optional<RetryPolicy> policy) {
    return policy
        .map(
            p ->
                "{first: %s, factor: %s, cap: %s, attempts: %s, jitter: %s}"
                    .formatted(
                        Units.text(p.first()),
                        number(p.factor()),
                        Units.text(p.cap()),
                        p.attempts(),
                        number(p.jitter())))
        .orElse("off");
  }

  private static String number(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  /** What is meant; when something of it is wrong, the faults are added and nothing is meant. */
  static Optional<Optional<RetryPolicy>> read(Object tree, List<Fault> faults) {
    if (Form.isOff(tree)) {
      return Optional.of(Optional.empty());
    }
    if (!(tree instanceof Map<?, ?> map)) {
      faults.add(
          new Fault("retry", LoopConfigs.shown(tree), "must be off, or an object of " + NAMES));
      return Optional.empty();
    }
    Map<String, Object> names = new TreeMap<>();
    map.forEach((name, value) -> names.put(String.valueOf(name), value));
    return new Retry(names, faults).policy();
  }

  private Optional<Optional<RetryPolicy>> policy() {
    for (String name : given.keySet()) {
      if (!NAMES.contains(name)) {
        fault(name, Names.unknown(name, NAMES, Map.of()));
      }
    }
    RetryPolicy usual = RetryPolicy.DEFAULT;
    Duration first = get("first", Form.TIME.reader(), usual.first());
    Duration cap = get("cap", Form.TIME.reader(), usual.cap());
    int attempts = get("attempts", Form.COUNT.reader(), usual.attempts());
    double factor = get("factor", Retry::fraction, usual.factor());
    double jitter = get("jitter", Retry::fraction, usual.jitter());
    check("first", !first.isNegative() && !first.isZero(), "must be positive");
    check("cap", cap.compareTo(first) >= 0, "must not be below first");
    check("attempts", attempts >= 0, "must not be negative; 0 is endless");
    check("factor", factor >= 1 && factor <= 1000, "must be from 1, even pauses, to 1000");
    check("jitter", jitter >= 0 && jitter <= 1, "must be from 0 to 1");
    return wrong > 0
        ? Optional.empty()
        : Optional.of(Optional.of(new RetryPolicy(first, factor, cap, attempts, jitter)));
  }

  private <T> T get(String name, Form.Reader<T> reader, T usual) {
    Object tree = given.get(name);
    try {
      return tree == null ? usual : reader.read(tree);
    } catch (Wrong odd) {
      fault(name, odd.wanted());
      return usual;
    }
  }

  private static double fraction(Object tree) throws Wrong {
    Optional<Long> whole = Form.whole(tree);
    if (whole.isPresent()) {
      return whole.get();
    }
    if (tree instanceof Double number) {
      return number;
    }
    throw new Wrong("must be a number");
  }

  private void check(String name, boolean good, String wanted) {
    if (!good) {
      fault(name, wanted);
    }
  }

  private void fault(String name, String reason) {
    wrong++;
    Object tree = given.get(name);
    faults.add(new Fault("retry." + name, tree == null ? "" : LoopConfigs.shown(tree), reason));
  }
}
