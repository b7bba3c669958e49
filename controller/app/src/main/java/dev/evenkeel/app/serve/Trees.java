package dev.evenkeel.app.serve;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.loop.LoopStatus;
import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.OperationMark;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueRevision;
import dev.evenkeel.api.volume.OperationExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Records as plain trees, for {@link JsonText}. Pure; any thread. */
public final class Trees {
  /** Entries of one list in one record. */
  private static final int MOST = 1_000;

  private static final int TEXT = 2_000;

  private Trees() {}

  /** An event, whole. */
  public static Map<String, Object> event(EventRecord record) {
    Map<String, Object> tree = eventHead(record);
    tree.put("chain", record.chain());
    tree.put("handlers", list(record.handlers(), Trees::handler));
    record.transaction().ifPresent(result -> tree.put("transaction", transaction(result)));
    tree.put("failures", list(record.failures(), Trees::failure));
    return tree;
  }

  private static Map<String, Object> eventHead(EventRecord record) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("sequence", record.sequence());
    tree.put("id", record.id().toString());
    record.parent().ifPresent(parent -> tree.put("parent", parent));
    tree.put("type", record.type());
    tree.put("description", Shown.text(record.description(), TEXT));
    tree.put("method", word(record.method()));
    tree.put("pushed", record.pushed().toString());
    tree.put("start", record.start().toString());
    record
        .end()
        .ifPresent(
            end -> {
              tree.put("end", end.toString());
              tree.put("micros", micros(Duration.between(record.start(), end)));
            });
    tree.put("running", record.end().isEmpty());
    record.outcome().ifPresent(outcome -> tree.put("outcome", outcome));
    tree.put("failed", !record.failures().isEmpty());
    return tree;
  }

  private static Object handler(HandlerRecord handler) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("handler", handler.handler());
    tree.put("revert", handler.revert());
    tree.put("change", Shown.text(handler.change(), TEXT));
    handler.failure().ifPresent(failure -> tree.put("failure", failure(failure)));
    tree.put("micros", micros(handler.duration()));
    return tree;
  }

  private static Object transaction(TransactionResult result) {
    Map<String, Object> tree = new LinkedHashMap<>();
    if (result.number() >= 0) {
      tree.put("number", result.number());
    }
    tree.put("outcome", word(result.outcome()));
    tree.put("operations", result.operations().size());
    tree.put("steps", list(result.steps(), Trees::step));
    return tree;
  }

  /** A step. */
  static Object step(StepRecord step) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("step", Shown.text(step.name(), TEXT));
    tree.put("handler", step.owner());
    tree.put("act", word(step.act()));
    step.failure().ifPresent(failure -> tree.put("failure", failure(failure)));
    tree.put("micros", micros(step.duration()));
    return tree;
  }

  /** A failure. */
  static Map<String, Object> failure(Failure failure) {
    Map<String, Object> tree = new LinkedHashMap<>();
    failure.key().ifPresent(key -> tree.put("key", key));
    tree.put("owner", failure.owner());
    tree.put("operation", failure.operation());
    tree.put("kind", word(failure.kind()));
    tree.put("message", Shown.text(failure.message(), TEXT));
    if (!failure.suppressed().isEmpty()) {
      tree.put(
          "suppressed", failure.suppressed().stream().map(text -> Shown.text(text, TEXT)).toList());
    }
    return tree;
  }

  /** A value of a graph. */
  static Map<String, Object> node(GraphNode node) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("key", node.key());
    node.base().ifPresent(base -> tree.put("base", base));
    node.descriptor().ifPresent(descriptor -> tree.put("descriptor", descriptor));
    tree.put("owner", node.owner());
    tree.put("origin", word(node.origin()));
    tree.put("state", word(node.state()));
    tree.put("available", node.available());
    tree.put("last", word(node.last()));
    node.failure().ifPresent(failure -> tree.put("failure", failure(failure)));
    tree.put("details", node.details().stream().map(text -> Shown.text(text, TEXT)).toList());
    tree.put("targets", list(node.targets(), Trees::target));
    tree.put("metadata", node.metadata());
    tree.put("transaction", node.transaction());
    tree.put("time", node.time().toString());
    return tree;
  }

  private static Object target(GraphNode.Target target) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("label", target.label());
    tree.put("met", target.met());
    tree.put("keys", target.keys().stream().limit(MOST).toList());
    return tree;
  }

  /** A transaction of the history, whole. */
  static Map<String, Object> transaction(TransactionRecord record) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("number", record.number());
    tree.put("kind", word(record.kind()));
    tree.put("method", word(record.method()));
    tree.put("description", Shown.text(record.description(), TEXT));
    record
        .retryOf()
        .ifPresent(
            of -> {
              tree.put("retryOf", of.transaction());
              tree.put("attempt", of.attempt());
            });
    tree.put("start", record.start().toString());
    record
        .stop()
        .ifPresent(
            stop -> {
              tree.put("stop", stop.toString());
              tree.put("micros", micros(Duration.between(record.start(), stop)));
            });
    tree.put("running", record.running());
    tree.put("dryRun", record.dryRun());
    record.outcome().ifPresent(outcome -> tree.put("outcome", word(outcome)));
    tree.put("values", list(record.values(), Trees::wanted));
    record.planned().ifPresent(plan -> tree.put("planned", list(plan, Trees::operation)));
    tree.put("executed", list(record.executed(), Trees::operation));
    tree.put("steps", list(record.steps(), Trees::step));
    tree.put("failures", list(record.failures(), Trees::failure));
    tree.put("shortened", record.shortened());
    return tree;
  }

  private static Object wanted(TransactionRecord.RecordedValue value) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("key", value.key());
    value.value().ifPresent(v -> tree.put("value", Shown.value(value.key(), v)));
    tree.put("origin", word(value.origin()));
    tree.put("owner", value.owner());
    return tree;
  }

  private static Object operation(OperationRecord operation) {
    String key = operation.key();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("operation", word(operation.operation()));
    tree.put("key", key);
    tree.put("base", operation.base());
    tree.put("owner", operation.owner());
    tree.put("before", word(operation.before()));
    tree.put("after", word(operation.after()));
    operation.previous().ifPresent(v -> tree.put("previous", Shown.value(key, v)));
    operation.current().ifPresent(v -> tree.put("current", Shown.value(key, v)));
    operation.failure().ifPresent(f -> tree.put("failure", failure(f)));
    tree.put("marks", OperationMark.of(operation).stream().map(OperationMark::text).toList());
    return tree;
  }

  /** A revision of a value. */
  static Object revision(ValueRevision revision) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("transaction", revision.transaction());
    tree.put("time", revision.time().toString());
    tree.put("gone", revision.node().isEmpty());
    revision.node().ifPresent(node -> tree.put("node", nodeWithValues(node)));
    return tree;
  }

  /** A value of a graph, with what is wanted and what is there. */
  static Map<String, Object> nodeWithValues(GraphNode node) {
    Map<String, Object> tree = node(node);
    node.desired().ifPresent(v -> tree.put("desired", Shown.value(node.key(), v)));
    node.applied().ifPresent(v -> tree.put("applied", Shown.value(node.key(), v)));
    return tree;
  }

  /** How a loop stands. */
  static Map<String, Object> status(LoopStatus status) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("state", word(status.state()));
    status.reason().ifPresent(reason -> tree.put("reason", Shown.text(reason, TEXT)));
    tree.put("ready", status.ready());
    status.notReady().ifPresent(why -> tree.put("notReady", Shown.text(why, TEXT)));
    tree.put("waiting", status.waiting());
    tree.put("highWater", status.highWater());
    tree.put("capacity", status.capacity());
    tree.put("operations", status.running());
    tree.put("lastProgress", status.lastProgress().toString());
    tree.put("heldMicros", micros(status.held()));
    return tree;
  }

  /** A running operation. */
  static Map<String, Object> pending(OperationExecutor.Pending pending, Instant now) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("kind", pending.kind());
    tree.put("subject", pending.subject());
    tree.put("transaction", pending.transaction());
    tree.put("since", pending.since().toString());
    tree.put("ageMicros", micros(Duration.between(pending.since(), now)));
    pending.stage().ifPresent(stage -> tree.put("stage", Shown.text(stage, TEXT)));
    return tree;
  }

  /** A list, cut off where it is too long to be looked at. */
  static <T> List<Object> list(List<T> all, Function<? super T, Object> each) {
    List<Object> list = new ArrayList<>();
    for (T one : all) {
      if (list.size() == MOST) {
        list.add(Map.of("leftOut", all.size() - MOST));
        break;
      }
      list.add(each.apply(one));
    }
    return list;
  }

  /** A constant as a word: {@code full-resync}. */
  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static long micros(Duration duration) {
    return duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
  }
}
