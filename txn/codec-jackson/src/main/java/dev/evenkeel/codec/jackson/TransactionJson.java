package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.GraphSnapshot;
import dev.evenkeel.api.txn.OperationMark;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.TransactionRecord.RecordedValue;
import dev.evenkeel.api.txn.ValueRevision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Transaction records, key timelines and graphs as JSON: for answers and files, not to be read back
 * as values. Every text says in {@code version} of which form it is; fields may be added within a
 * version. Values are texts, made by a printer; times are ISO 8601; what is absent is left out.
 * Pure, any thread.
 */
@Experimental("new")
public final class TransactionJson {
  /** The form that is written. */
  public static final int VERSION = 1;

  private final Json json;
  private final int most;
  private final int valueLength;
  private final BiFunction<String, Object, String> printer;

  /** Values as they print themselves, 2,000 characters of each; 100,000 entries of a list. */
  public TransactionJson() {
    this(Limits.EVENTS, 100_000, 2_000, (key, value) -> value.toString());
  }

  /**
   * With limits and a printer.
   *
   * @param limits of the whole text; beyond them nothing is written
   * @param most how many entries of one list are written; of more, {@code leftOut} counts the rest
   * @param valueLength how many characters of a value, or of a message, are written
   * @param printer of a value, by its key
   */
  public TransactionJson(
      Limits limits, int most, int valueLength, BiFunction<String, Object, String> printer) {
    if (most < 1 || valueLength < 1) {
      throw new IllegalArgumentException("limits are positive");
    }
    this.json = new Json(limits);
    this.most = most;
    this.valueLength = valueLength;
    this.printer = printer;
  }

  /**
   * One record.
   *
   * @throws InvalidInputException when it is beyond the limits
   */
  public String record(TransactionRecord record) {
    return json.write(versioned(recordTree(record)));
  }

  /** Records, in the order given; throws {@link InvalidInputException} beyond the limits. */
  public String records(Collection<TransactionRecord> records) {
    SortedMap<String, Object> tree = new TreeMap<>();
    list(tree, "transactions", records, this::recordTree);
    return json.write(versioned(tree));
  }

  /** A key's timeline; throws {@link InvalidInputException} beyond the limits. */
  public String timeline(String key, List<ValueRevision> revisions) {
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put("key", key);
    list(tree, "revisions", revisions, this::revision);
    return json.write(versioned(tree));
  }

  /**
   * The values of a graph whose path starts with the prefix, ordered by path.
   *
   * @throws InvalidInputException when it is beyond the limits
   */
  public String graph(GraphSnapshot graph, String prefix) {
    List<Object> nodes = new ArrayList<>();
    int[] left = {0};
    graph.forEach(
        prefix,
        node -> {
          if (nodes.size() < most) {
            nodes.add(node(node));
          } else {
            left[0]++;
          }
        });
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put("transaction", graph.transaction());
    tree.put("time", graph.time().toString());
    tree.put("nodes", nodes);
    if (left[0] > 0) {
      tree.put("leftOut", left[0]);
    }
    return json.write(versioned(tree));
  }

  private static SortedMap<String, Object> versioned(SortedMap<String, Object> tree) {
    tree.put("version", VERSION);
    return tree;
  }

  // ---- records ---------------------------------------------------------------------------------

  private SortedMap<String, Object> recordTree(TransactionRecord record) {
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put("number", record.number());
    tree.put("kind", record.kind().name());
    tree.put("method", record.method().name());
    tree.put("description", cut(record.description()));
    record
        .retryOf()
        .ifPresent(
            of -> {
              tree.put("retryOf", of.transaction());
              tree.put("attempt", of.attempt());
            });
    list(tree, "values", record.values(), this::value);
    record.planned().ifPresent(plan -> list(tree, "planned", plan, this::operation));
    list(tree, "executed", record.executed(), this::operation);
    list(tree, "steps", record.steps(), this::step);
    tree.put("start", record.start().toString());
    record.stop().ifPresent(stop -> tree.put("stop", stop.toString()));
    tree.put("dryRun", record.dryRun());
    tree.put("running", record.running());
    record.outcome().ifPresent(outcome -> tree.put("outcome", outcome.name()));
    list(tree, "failures", record.failures(), this::failure);
    tree.put("shortened", record.shortened());
    return tree;
  }

  private Object value(RecordedValue value) {
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put("key", value.key());
    value.value().ifPresent(v -> tree.put("value", text(value.key(), v)));
    tree.put("origin", value.origin().name());
    tree.put("owner", value.owner());
    return tree;
  }

  private Object operation(OperationRecord operation) {
    String key = operation.key();
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put("operation", operation.operation().name());
    tree.put("key", key);
    tree.put("base", operation.base());
    tree.put("owner", operation.owner());
    tree.put("before", operation.before().name());
    tree.put("after", operation.after().name());
    operation.previous().ifPresent(v -> tree.put("previous", text(key, v)));
    operation.current().ifPresent(v -> tree.put("current", text(key, v)));
    operation.previousFailure().ifPresent(f -> tree.put("previousFailure", failure(f)));
    operation.failure().ifPresent(f -> tree.put("failure", failure(f)));
    tree.put("flags", operation.flags().stream().map(Enum::name).toList());
    tree.put("marks", OperationMark.of(operation).stream().map(OperationMark::text).toList());
    return tree;
  }

  private Object step(StepRecord step) {
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put("name", step.name());
    tree.put("owner", step.owner());
    tree.put("act", step.act().name());
    step.failure().ifPresent(f -> tree.put("failure", failure(f)));
    tree.put("duration", step.duration().toString());
    return tree;
  }

  private Object failure(Failure failure) {
    SortedMap<String, Object> tree = new TreeMap<>();
    failure.key().ifPresent(key -> tree.put("key", key));
    failure.base().ifPresent(base -> tree.put("base", base));
    tree.put("owner", failure.owner());
    tree.put("operation", failure.operation());
    tree.put("kind", failure.kind().name());
    tree.put("message", cut(failure.message()));
    if (!failure.suppressed().isEmpty()) {
      tree.put("suppressed", failure.suppressed().stream().map(this::cut).toList());
    }
    return tree;
  }

  // ---- graphs ----------------------------------------------------------------------------------

  private Object revision(ValueRevision revision) {
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put("transaction", revision.transaction());
    tree.put("time", revision.time().toString());
    revision.node().ifPresent(node -> tree.put("node", node(node)));
    return tree;
  }

  private Object node(GraphNode node) {
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put("key", node.key());
    node.base().ifPresent(base -> tree.put("base", base));
    node.descriptor().ifPresent(descriptor -> tree.put("descriptor", descriptor));
    tree.put("owner", node.owner());
    tree.put("origin", node.origin().name());
    tree.put("state", node.state().name());
    tree.put("available", node.available());
    tree.put("last", node.last().name());
    node.failure().ifPresent(f -> tree.put("failure", failure(f)));
    tree.put("details", node.details());
    optional(tree, "desired", node.key(), node.desired());
    optional(tree, "applied", node.key(), node.applied());
    tree.put("metadata", node.metadata());
    list(tree, "targets", node.targets(), this::target);
    tree.put("transaction", node.transaction());
    tree.put("time", node.time().toString());
    return tree;
  }

  private Object target(GraphNode.Target target) {
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put("label", target.label());
    tree.put("met", target.met());
    list(tree, "keys", target.keys(), key -> key);
    return tree;
  }

  private void optional(
      SortedMap<String, Object> tree, String name, String key, Optional<Object> value) {
    value.ifPresent(v -> tree.put(name, text(key, v)));
  }

  // ---- lists and texts -------------------------------------------------------------------------

  private <T> void list(
      SortedMap<String, Object> tree, String name, Collection<T> all, Function<T, Object> each) {
    tree.put(name, all.stream().limit(most).map(each).toList());
    if (all.size() > most) {
      tree.put(name + "LeftOut", all.size() - most);
    }
  }

  private String text(String key, Object value) {
    try {
      return cut(printer.apply(key, value));
    } catch (RuntimeException thrown) {
      return "(cannot be shown: " + thrown.getClass().getSimpleName() + ")";
    }
  }

  /** Never in the middle of a pair; lone halves, which JSON cannot hold, are replaced. */
  private String cut(String text) {
    StringBuilder cut = new StringBuilder(Math.min(text.length(), valueLength) + 1);
    int at = 0;
    while (at < text.length() && cut.length() < valueLength) {
      int point = text.codePointAt(at);
      boolean half = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
      cut.appendCodePoint(half ? '?' : point);
      at += Character.charCount(point);
    }
    return at < text.length() ? cut.append('…').toString() : cut.toString();
  }
}
