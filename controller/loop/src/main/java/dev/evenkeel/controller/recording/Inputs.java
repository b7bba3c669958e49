package dev.evenkeel.controller.recording;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.event.Shutdown;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.controller.core.LoopInput;
import dev.evenkeel.controller.core.Reply;
import dev.evenkeel.txn.ActionOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Inputs as trees, and back. */
final class Inputs {
  private final RecordingCodec codec;
  private final Catalog catalog;

  Inputs(RecordingCodec codec, Catalog catalog) {
    this.codec = codec;
    this.catalog = catalog;
  }

  SortedMap<String, Object> tree(LoopInput input) {
    if (input instanceof LoopInput.Start start) {
      return with(Trees.kind("start"), "seed", start.seed());
    } else if (input instanceof LoopInput.Submitted submitted) {
      return submitted(submitted);
    } else if (input instanceof LoopInput.Completed completed) {
      SortedMap<String, Object> tree = Trees.kind("completed");
      tree.put("work", completed.work());
      return outcome(tree, completed);
    } else if (input instanceof LoopInput.Overdue overdue) {
      SortedMap<String, Object> tree = Trees.kind("overdue");
      tree.put("work", overdue.work());
      tree.put("target", overdue.target());
      return with(tree, "limit", overdue.limit().toString());
    } else if (input instanceof LoopInput.TimerFired timer) {
      return with(Trees.kind("timer"), "timer", timer.timer());
    } else if (input instanceof LoopInput.Proceed) {
      return Trees.kind("proceed");
    } else if (input instanceof LoopInput.Close close) {
      return with(Trees.kind("close"), "until", close.until().toString());
    } else if (input instanceof LoopInput.Drained) {
      return Trees.kind("drained");
    } else if (input instanceof LoopInput.Led led) {
      return with(Trees.kind("led"), "leads", led.leads());
    }
    if (input instanceof LoopInput.Refused refused) {
      SortedMap<String, Object> tree = Trees.kind("refused");
      tree.put("full", refused.full());
      tree.put("closed", refused.closed());
      return with(tree, "not leader", refused.notLeader());
    }
    throw new IllegalStateException("not an input: " + input);
  }

  LoopInput input(SortedMap<String, Object> tree) {
    return switch (Trees.text(tree, "kind")) {
      case "start" -> new LoopInput.Start(Trees.number(tree, "seed"));
      case "submitted" -> submitted(tree);
      case "completed" -> new LoopInput.Completed(Trees.number(tree, "work"), outcome(tree));
      case "overdue" ->
          new LoopInput.Overdue(
              Trees.number(tree, "work"), Trees.text(tree, "target"), limit(tree));
      case "timer" -> new LoopInput.TimerFired(Trees.number(tree, "timer"));
      case "proceed" -> new LoopInput.Proceed();
      case "close" -> new LoopInput.Close(Instant.parse(Trees.text(tree, "until")));
      case "drained" -> new LoopInput.Drained();
      case "refused" ->
          new LoopInput.Refused(
              Trees.number(tree, "full"),
              Trees.number(tree, "closed"),
              Trees.number(tree, "not leader"));
      case "led" -> new LoopInput.Led(Trees.get(tree, "leads").equals(true));
      default -> throw Trees.malformed("kind");
    };
  }

  private static SortedMap<String, Object> with(
      SortedMap<String, Object> tree, String name, Object value) {
    tree.put(name, value);
    return tree;
  }

  private static Duration limit(SortedMap<String, Object> tree) {
    return Duration.parse(Trees.text(tree, "limit"));
  }

  private SortedMap<String, Object> submitted(LoopInput.Submitted submitted) {
    Event event = submitted.event();
    SortedMap<String, Object> tree = Trees.kind("submitted");
    tree.put("id", submitted.id().number());
    tree.put("pushed", submitted.pushed().toString());
    if (submitted.fault().isPresent()) {
      // Nothing that it says of itself can be trusted.
      return with(tree, "invalid", submitted.fault().get().message());
    }
    tree.put("type", event.type().name());
    tree.put("version", (long) event.type().version());
    if (event instanceof Notification told && !told.metadata().isEmpty()) {
      SortedMap<String, Object> metadata = new TreeMap<>();
      told.metadata()
          .forEach(
              (key, known) ->
                  known.ifPresent(
                      value ->
                          metadata.put(
                              key.path(), codec.values.tree(codec.metadataAt(key.path()), value))));
      tree.put("metadata", metadata);
      event = new Notification(told.values());
    }
    return with(tree, "event", Values.JSON.parse(codec.events.encode(event)));
  }

  private LoopInput.Submitted submitted(SortedMap<String, Object> tree) {
    EventId id = new EventId(Trees.number(tree, "id"));
    Instant pushed = Instant.parse(Trees.text(tree, "pushed"));
    if (tree.containsKey("invalid")) {
      Failure fault = Failure.of("loop", "push", ErrorKind.INVALID, Trees.text(tree, "invalid"));
      return new LoopInput.Submitted(
          id, new Shutdown(), pushed, null, Optional.of(fault), Reply.NONE);
    }
    Event event =
        codec.events.decode(
            Trees.text(tree, "type"),
            Math.toIntExact(Trees.number(tree, "version")),
            Values.JSON.write(Trees.get(tree, "event")));
    if (event instanceof Notification told && tree.containsKey("metadata")) {
      event = told(told, Trees.object(tree, "metadata"));
    }
    return LoopInput.Submitted.of(id, event, pushed, Reply.NONE);
  }

  private Notification told(Notification told, SortedMap<String, Object> trees) {
    SortedMap<Key<?>, Optional<Object>> metadata = new TreeMap<>();
    for (Key<?> key : told.values().keySet()) {
      Object tree = trees.get(key.path());
      if (tree != null) {
        metadata.put(
            key, Optional.ofNullable(codec.values.value(codec.metadataAt(key.path()), tree)));
      }
    }
    return new Notification(told.values(), metadata);
  }

  private SortedMap<String, Object> outcome(
      SortedMap<String, Object> tree, LoopInput.Completed completed) {
    if (completed.outcome() instanceof ActionOutcome.Done done) {
      tree.put("took", done.took().toString());
      return with(tree, "returned", catalog.tree(completed.work(), done.value()));
    } else if (completed.outcome() instanceof ActionOutcome.Failed failed) {
      tree.put("took", failed.took().toString());
      return with(tree, "threw", Values.thrown(failed.thrown()));
    } else if (completed.outcome() instanceof ActionOutcome.TimedOut late) {
      return with(tree, "limit", late.limit().toString());
    }
    throw new IllegalStateException("not an outcome of work: " + completed);
  }

  private ActionOutcome outcome(SortedMap<String, Object> tree) {
    if (tree.containsKey("limit")) {
      return new ActionOutcome.TimedOut(limit(tree));
    }
    Duration took = Duration.parse(Trees.text(tree, "took"));
    return tree.containsKey("threw")
        ? new ActionOutcome.Failed(Values.thrown(Trees.object(tree, "threw")), took)
        : new ActionOutcome.Done(
            catalog.value(Trees.number(tree, "work"), Trees.get(tree, "returned")), took);
  }
}
