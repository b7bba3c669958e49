package dev.evenkeel.txn.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The reference model: rules 18 to 33 and 43 to 48 of the transactions reference, written down as
 * plain recursion over one sorted map, without failures. It tells every operation in order, with
 * states and flags, and every call. Slow on purpose: everything is looked for everywhere.
 */
final class NaiveEngine {
  /**
   * A dependency of a path, without first slashes.
   *
   * @param target a key, or the prefix of any of several
   * @param item it only counts while the list holds this item; empty for always
   */
  record Need(String target, boolean anyOf, String item) {
    boolean targets(String path) {
      return anyOf ? path.startsWith(target) : path.equals(target);
    }
  }

  /** A wish for a base value; null for none. */
  record Wish(String path, @Nullable Val value, boolean quiet) {}

  /** What the descriptors are like. */
  record Model(Map<String, List<Need>> needs, Set<String> recreates, Set<String> noUpdater) {
    List<Need> needs(String path, Val value) {
      return needs.getOrDefault(path, List.of()).stream()
          .filter(
              need ->
                  need.item().isEmpty()
                      || (value instanceof Val.L list && list.items().contains(need.item())))
          .toList();
    }

    boolean recreates(String path) {
      return recreates.contains(path) || noUpdater.contains(path.substring(0, 1));
    }
  }

  private static final class Value {
    final String path;
    final @Nullable Value base;
    final TreeMap<String, Value> derived = new TreeMap<>();
    List<Need> needs = List.of();
    @Nullable Val desired;
    @Nullable Val applied;
    boolean discovered;
    boolean missing;
    boolean removed;
    boolean going;
    boolean changing;

    Value(String path, @Nullable Value base) {
      this.path = path;
      this.base = base;
    }

    boolean available() {
      return applied != null && !going;
    }

    String state() {
      if (removed) {
        return "RM";
      }
      if (applied != null) {
        return discovered ? "DI" : "CF";
      }
      return desired == null ? "NE" : missing ? "MI" : "PD";
    }

    void present(Val value) {
      applied = value;
      discovered = false;
      missing = false;
      removed = false;
      going = false;
    }
  }

  private record Line(String operation, String path, String before, String after, String flags) {
    @Override
    public String toString() {
      return operation + " " + path + " " + before + ">" + after + flags;
    }
  }

  private final Model model;
  private final TreeMap<String, Value> values = new TreeMap<>();
  private List<Line> log = new ArrayList<>();

  /** Calls since they were taken last, such as {@code create a/1}. */
  final List<String> calls = new ArrayList<>();

  /** What is there outside: a list as L, an item as its text. */
  final TreeMap<String, String> outside;

  private boolean quiet;

  NaiveEngine(Model model, Map<String, String> outside) {
    this.model = model;
    this.outside = new TreeMap<>(outside);
  }

  /** As after a repair without failures: what is wanted is there if it can be, else it waits. */
  static NaiveEngine settled(
      Model model, Map<String, String[]> wanted, Map<String, String> possible) {
    NaiveEngine engine = new NaiveEngine(model, possible);
    wanted.forEach(
        (path, items) -> {
          Value base = engine.value(path, null);
          engine.settle(base, Val.list(items));
          if (base.applied != null) {
            items(base, Val.list(items))
                .forEach((child, item) -> engine.settle(engine.value(child, base), item));
          }
        });
    return engine;
  }

  private void settle(Value value, Val desired) {
    value.desired = desired;
    value.applied = outside.containsKey(value.path) ? desired : null;
    value.needs = model.needs(value.path, desired);
  }

  /** Each value with its state. */
  Map<String, String> states() {
    TreeMap<String, String> states = new TreeMap<>();
    values.forEach((path, value) -> states.put(path, value.state()));
    return states;
  }

  // ---- transactions ----------------------------------------------------------------------------

  /** What is asked for, and nothing else. */
  List<String> update(List<Wish> wishes) {
    return run(wishes);
  }

  /** All that is wanted, after a look outside or without. */
  List<String> resync(List<Wish> puts, boolean refresh) {
    if (refresh) {
      refresh();
    }
    List<Wish> all = new ArrayList<>(puts);
    Set<String> given = new TreeSet<>();
    puts.forEach(put -> given.add(put.path()));
    values.forEach(
        (path, value) -> {
          if (value.base == null && !given.contains(path)) {
            all.add(new Wish(path, null, false));
          }
        });
    return run(all);
  }

  /** What was wanted last, after a look outside. */
  List<String> downstream() {
    refresh();
    List<Wish> all = new ArrayList<>();
    values.forEach(
        (path, value) -> {
          if (value.base == null) {
            all.add(new Wish(path, value.desired, value.desired != null));
          }
        });
    return run(all);
  }

  private List<String> run(List<Wish> wishes) {
    log = new ArrayList<>();
    Map<String, Wish> last = new LinkedHashMap<>();
    wishes.forEach(wish -> last.put(wish.path(), wish));
    List<Wish> ordered = new ArrayList<>(last.values());
    ordered.sort(Comparator.comparing(this::group).thenComparing(Wish::path));
    ordered.forEach(this::wish);
    return log.stream().map(Line::toString).toList();
  }

  private int group(Wish wish) {
    Value value = values.get(wish.path());
    if (wish.value() == null) {
      return 0;
    }
    if (value == null || !value.available()) {
      return 2;
    }
    return !wish.value().equals(value.applied) && model.recreates(wish.path()) ? 1 : 3;
  }

  private void wish(Wish wish) {
    quiet = wish.quiet();
    if (wish.value() == null && !values.containsKey(wish.path())) {
      return;
    }
    Value value = value(wish.path(), null);
    String before = value.state();
    if (wish.value() == null) {
      remove(value, Removal.GONE, before, false);
    } else {
      value.desired = wish.value();
      apply(value, wish.value(), before, false);
    }
  }

  private Value value(String path, @Nullable Value base) {
    Value value = values.computeIfAbsent(path, p -> new Value(p, base));
    if (base != null) {
      base.derived.put(path, value);
    }
    return value;
  }

  private void drop(Value value) {
    values.remove(value.path);
    if (value.base != null) {
      value.base.derived.remove(value.path);
    }
  }

  // ---- rules 20 to 27 --------------------------------------------------------------------------

  private void apply(Value value, Val wanted, String before, boolean recreated) {
    List<Need> needs = model.needs(value.path, wanted);
    if (!value.available()) {
      create(value, wanted, needs, before, recreated, Set.of());
    } else if (wanted.equals(value.applied)) {
      value.needs = needs;
      if (!ready(value)) { // what was found there may lack something
        remove(value, Removal.REPLACED, before, false);
        return;
      }
      value.present(wanted);
      if (!before.equals("CF") && !before.equals("DI")) {
        record("U", value, before, " noop");
      }
      derive(value, wanted, Set.of());
    } else if (model.recreates(value.path)) {
      Set<String> existed = new TreeSet<>();
      value.derived.values().stream()
          .filter(Value::available)
          .forEach(child -> existed.add(child.path));
      remove(value, Removal.RECREATED, before, true);
      create(value, wanted, needs, value.state(), true, existed);
    } else {
      update(value, wanted, needs, before, recreated);
    }
  }

  private void create(
      Value value,
      Val wanted,
      List<Need> needs,
      String before,
      boolean recreated,
      Set<String> existed) {
    value.needs = needs;
    if (!ready(value)) {
      value.missing = false;
      value.removed = false;
      if (!quiet || !before.equals("PD")) {
        record("C", value, before, " noop");
      }
      return;
    }
    calls.add("create " + value.path);
    outside.put(value.path, wanted instanceof Val.S item ? item.text() : "L");
    value.present(wanted);
    record("C", value, before, recreated ? " recr" : "");
    wake(value);
    derive(value, wanted, existed);
  }

  private void update(Value value, Val wanted, List<Need> needs, String before, boolean recreated) {
    value.changing = true;
    removeObsolete(value, wanted);
    value.changing = false;
    List<Need> former = value.needs;
    value.needs = needs;
    if (!ready(value)) {
      remove(value, Removal.REPLACED, before, false);
      return;
    }
    value.needs = former;
    calls.add("update " + value.path);
    if (wanted instanceof Val.S item) {
      outside.put(value.path, item.text());
    }
    value.present(wanted);
    value.needs = needs;
    record("U", value, before, recreated ? " recr" : "");
    derive(value, wanted, Set.of());
  }

  private enum Removal {
    GONE,
    /** It waits for what it needs. */
    ASLEEP,
    /** The same, and something else is wanted in its place. */
    REPLACED,
    RECREATED
  }

  private void remove(Value value, Removal why, String before, boolean recreated) {
    if (values.get(value.path) != value) {
      return;
    }
    if (value.applied == null) {
      if (why == Removal.GONE) {
        removeAbsent(value, before);
      }
      return;
    }
    if (why == Removal.GONE) {
      value.desired = null;
    }
    value.going = true;
    for (Value child : List.copyOf(value.derived.values())) {
      remove(child, Removal.GONE, child.state(), recreated);
    }
    sleep(value);
    calls.add("delete " + value.path);
    outside.remove(value.path);
    value.applied = null;
    value.discovered = false;
    value.missing = false;
    value.going = false;
    value.removed = why == Removal.GONE || why == Removal.RECREATED;
    record(why == Removal.REPLACED ? "U" : "D", value, before, recreated ? " recr" : "");
    if (why == Removal.GONE) {
      drop(value);
    }
  }

  private void removeAbsent(Value value, String before) {
    for (Value child : List.copyOf(value.derived.values())) {
      removeAbsent(child, child.state());
    }
    value.desired = null;
    value.removed = true;
    if (!before.equals("NE")) {
      record("D", value, before, " noop");
    }
    drop(value);
  }

  /** What derives from a value, by path. */
  private static SortedMap<String, Val.S> items(Value base, Val wanted) {
    TreeMap<String, Val.S> items = new TreeMap<>();
    if (wanted instanceof Val.L list) {
      list.items()
          .forEach(
              text -> {
                Val.S item = new Val.S(text);
                items.put(base.path + "/" + item.name(), item);
              });
    }
    return items;
  }

  private void derive(Value value, Val wanted, Set<String> existed) {
    items(value, wanted)
        .forEach(
            (path, item) -> {
              if (value.applied != null) {
                Value child = value(path, value);
                String before = child.state();
                child.desired = item;
                apply(child, item, before, existed.contains(path));
              }
            });
    removeObsolete(value, wanted);
  }

  private void removeObsolete(Value value, Val wanted) {
    Set<String> kept = items(value, wanted).keySet();
    for (Value child : List.copyOf(value.derived.values())) {
      if (!kept.contains(child.path)) {
        remove(child, Removal.GONE, child.state(), false);
      }
    }
  }

  /** Rule 57: what only waited, or slept, and the real operation after it are one. */
  private void record(String operation, Value value, String before, String flags) {
    String all = (value.base != null ? " der" : "") + flags;
    String from = before;
    for (int i = log.size() - 1; i >= 0; i--) {
      Line line = log.get(i);
      if (!line.path().equals(value.path)) {
        continue;
      }
      if (line.operation().equals("C") && line.after().equals("PD") && operation.equals("C")) {
        log.remove(i);
        from = line.before();
      } else if (line.operation().equals("D")
          && line.after().equals("PD")
          && operation.equals("D")
          && flags.equals(" noop")) {
        log.set(i, new Line("D", value.path, line.before(), value.state(), line.flags()));
        return;
      }
      break;
    }
    log.add(new Line(operation, value.path, from, value.state(), all));
  }

  // ---- rules 30 to 33 --------------------------------------------------------------------------

  private List<Value> dependents(Value value) {
    return values.values().stream()
        .filter(other -> other.needs.stream().anyMatch(need -> need.targets(value.path)))
        .toList();
  }

  private void wake(Value value) {
    List<Value> waiting =
        dependents(value).stream().filter(dependent -> decides(value, dependent)).toList();
    for (Value dependent : waiting) {
      Val wanted = dependent.desired;
      if (wanted != null && value.available() && couldCome(dependent) && ready(dependent)) {
        apply(dependent, wanted, dependent.state(), false);
      }
    }
  }

  /** Rule 31: where another one has met an any-of all along, one more makes no difference. */
  private boolean decides(Value value, Value dependent) {
    return dependent.needs.stream()
        .filter(need -> need.targets(value.path))
        .anyMatch(
            need ->
                !need.anyOf()
                    || values.values().stream()
                        .noneMatch(
                            other ->
                                other != value && other.available() && need.targets(other.path)));
  }

  private void sleep(Value value) {
    for (Value dependent : dependents(value)) {
      if (dependent.available() && !dependent.changing && !ready(dependent)) {
        Removal why = dependent.desired == null ? Removal.GONE : Removal.ASLEEP;
        remove(dependent, why, dependent.state(), false);
      }
    }
  }

  private boolean couldCome(Value value) {
    return values.get(value.path) == value
        && value.applied == null
        && value.desired != null
        && !value.removed
        && !value.changing
        && (value.base == null || value.base.applied != null);
  }

  private boolean met(Need need) {
    return values.values().stream()
        .anyMatch(value -> value.available() && need.targets(value.path));
  }

  /** All that it needs is there, or only lacks what stands in one cycle with it. */
  private boolean ready(Value value) {
    if (value.needs.stream().allMatch(this::met)) {
      return true;
    }
    Set<String> ahead = closure(value, true);
    Set<String> circle = closure(value, false);
    circle.retainAll(ahead);
    if (!circle.contains(value.path)) {
      return false;
    }
    return circle.stream()
        .map(path -> path.equals(value.path) ? value : values.get(path))
        .allMatch(
            member ->
                member != null
                    && member.needs.stream()
                        .allMatch(need -> met(need) || circle.stream().anyMatch(need::targets)));
  }

  /** What is reached from a value over unmet needs; or what reaches it. */
  private Set<String> closure(Value start, boolean forward) {
    Set<String> reached = new TreeSet<>();
    boolean grows = true;
    while (grows) {
      grows = false;
      for (Value from : values.values()) {
        for (Value to : values.values()) {
          if (waitsFor(start, from, to)) {
            Value known = forward ? from : to;
            Value next = forward ? to : from;
            if (known == start || reached.contains(known.path)) {
              grows |= reached.add(next.path);
            }
          }
        }
      }
    }
    return reached;
  }

  private boolean waitsFor(Value start, Value from, Value to) {
    return (from == start || couldCome(from))
        && (to == start || couldCome(to))
        && from.needs.stream().anyMatch(need -> !met(need) && need.targets(to.path));
  }

  // ---- rules 46 to 48 --------------------------------------------------------------------------

  private void refresh() {
    for (String kind : List.of("a", "b")) {
      TreeMap<String, List<String>> found = new TreeMap<>();
      outside.forEach(
          (path, text) -> {
            if (path.startsWith(kind + "/") && text.equals("L")) {
              List<String> items = new ArrayList<>();
              outside.subMap(path + "/", path + "0").values().forEach(items::add);
              found.put(path, items);
            }
          });
      found.forEach(
          (path, items) -> {
            Value value = value(path, null);
            Val there = Val.list(items.toArray(String[]::new));
            find(value, there);
            SortedMap<String, Val.S> derived = items(value, there);
            List.copyOf(value.derived.values()).stream()
                .filter(child -> !derived.containsKey(child.path))
                .forEach(this::vanish);
            derived.forEach((child, item) -> find(value(child, value), item));
          });
      List.copyOf(values.values()).stream()
          .filter(value -> value.base == null && value.path.startsWith(kind + "/"))
          .filter(value -> !found.containsKey(value.path))
          .forEach(this::vanish);
    }
  }

  private void find(Value value, Val there) {
    boolean discovered = (value.desired == null && value.applied == null) || value.discovered;
    value.present(there);
    value.discovered = discovered;
    value.needs = model.needs(value.path, there);
  }

  private void vanish(Value value) {
    List.copyOf(value.derived.values()).forEach(this::vanish);
    if (value.applied == null && value.desired != null) {
      return;
    }
    value.applied = null;
    value.discovered = false;
    if (value.desired == null) {
      drop(value);
    } else {
      value.missing = true;
    }
  }
}
