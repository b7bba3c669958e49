package dev.evenkeel.controller.recording;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.Retriever;
import dev.evenkeel.codec.jackson.Json;
import dev.evenkeel.controller.core.LoopDecision;
import dev.evenkeel.controller.core.ScriptEnd;
import dev.evenkeel.txn.TxnEntry;
import dev.evenkeel.txn.operation.Loaded;
import dev.evenkeel.txn.operation.OperationReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Knows of each piece of work that is under way what it may return, so that its outcome can be
 * written and read. Learns it from the decisions, which are the same in a run and in its replay.
 */
final class Catalog {
  private final RecordingCodec codec;
  private final Map<EventId, SortedMap<String, Class<?>>> steps = new HashMap<>();
  private final Map<Long, LoopDecision> works = new HashMap<>();

  Catalog(RecordingCodec codec) {
    this.codec = codec;
  }

  void learn(LoopDecision decision) {
    if (decision instanceof LoopDecision.Planned planned) {
      SortedMap<String, Class<?>> types = new TreeMap<>();
      for (TxnEntry entry : planned.entries()) {
        if (entry instanceof TxnEntry.Act act) {
          types.put(act.step().name(), act.step().resultType());
        }
      }
      steps.put(planned.id(), types);
    } else if (decision instanceof LoopDecision.Dispatched call) {
      works.put(call.work(), call);
    } else if (decision instanceof LoopDecision.Scripted script) {
      works.put(script.work(), script);
    } else if (decision instanceof LoopDecision.Answered answered) {
      steps.remove(answered.id());
    }
  }

  /** What a piece of work returned, as a tree; what nobody reads is left out. */
  Object tree(long work, Object value) {
    LoopDecision known = works.get(work);
    if (known instanceof LoopDecision.Scripted script && value instanceof ScriptEnd end) {
      return script(script.id(), end);
    }
    if (known instanceof LoopDecision.Dispatched call) {
      return switch (call.kind()) {
        case PROBE -> codec.values.probe(stepType(call), (Probe<?>) value);
        case APPLY -> codec.values.tree(stepType(call), value);
        case CREATE, UPDATE -> codec.values.tree(codec.metadataAt(call.target()), value);
        case RETRIEVE -> retrieved(call.target(), value);
        case LOAD -> loaded((Loaded) value);
        case DELETE, UNDO, JOURNAL -> Json.NULL;
      };
    }
    return Json.NULL;
  }

  /** The inverse of {@link #tree}. */
  Object value(long work, Object tree) {
    LoopDecision known = works.get(work);
    if (known instanceof LoopDecision.Scripted script) {
      return script(script.id(), Trees.object(tree));
    }
    if (known instanceof LoopDecision.Dispatched call) {
      return switch (call.kind()) {
        case PROBE -> codec.values.probe(stepType(call), Trees.object(tree));
        case APPLY -> codec.values.value(stepType(call), tree);
        case CREATE, UPDATE -> codec.values.value(codec.metadataAt(call.target()), tree);
        case RETRIEVE -> retrievedFrom(call.target(), tree);
        case LOAD -> loaded(Trees.object(tree));
        case DELETE, UNDO, JOURNAL -> true;
      };
    }
    return true;
  }

  private Class<?> stepType(LoopDecision.Dispatched call) {
    Class<?> type = stepsOf(call.id()).get(call.target());
    if (type == null) {
      throw Trees.malformed("step " + call.target());
    }
    return type;
  }

  private SortedMap<String, Class<?>> stepsOf(EventId event) {
    return steps.getOrDefault(event, new TreeMap<>());
  }

  // The end of an operation's script: its report, and what its steps returned.

  private Object script(EventId event, ScriptEnd end) {
    SortedMap<String, Object> results = new TreeMap<>();
    stepsOf(event)
        .forEach(
            (name, type) ->
                find(end.results(), name, type)
                    .ifPresent(value -> results.put(name, codec.values.tree(type, value))));
    SortedMap<String, Object> tree = Trees.of("results", results);
    tree.put("report", codec.values.tree(OperationReport.class, end.report()));
    return tree;
  }

  private static Optional<Object> find(Results results, String name, Class<?> type) {
    try {
      return Optional.of(results.get(new Ref<>(name, type)));
    } catch (IllegalStateException hasNotRun) {
      return Optional.empty();
    }
  }

  private ScriptEnd script(EventId event, SortedMap<String, Object> tree) {
    Map<String, Object> byName = new TreeMap<>();
    SortedMap<String, Class<?>> types = stepsOf(event);
    Trees.object(tree, "results")
        .forEach(
            (name, value) -> {
              Class<?> type = types.get(name);
              if (type != null) {
                byName.put(name, codec.values.value(type, value));
              }
            });
    OperationReport report = codec.values.value(OperationReport.class, Trees.get(tree, "report"));
    return new ScriptEnd(report, new RecordedResults(byName));
  }

  private record RecordedResults(Map<String, Object> byName) implements Results {
    @Override
    public <T> T get(Ref<T> ref) {
      Object value = byName.get(ref.name());
      if (value == null) {
        throw new IllegalStateException("step " + ref.name() + " has not run");
      }
      return ref.type().cast(value);
    }
  }

  // What was retrieved from the outside, or from an external source.

  private Object retrieved(String target, Object value) {
    if (codec.descriptorNamed(target).isEmpty()) {
      return codec.values.tree(InputState.class, value);
    }
    List<Object> trees = new ArrayList<>();
    for (Object element : (List<?>) value) {
      Retriever.Found<?, ?> found = (Retriever.Found<?, ?>) element;
      SortedMap<String, Object> tree = Trees.of("key", found.key().path());
      tree.put("value", codec.values.tree(found.key().type().valueType(), found.value()));
      tree.put("origin", found.origin().name());
      Class<?> metadata = codec.metadataAt(found.key().path());
      tree.put("metadata", codec.values.tree(metadata, found.metadata()));
      trees.add(tree);
    }
    return trees;
  }

  private Object retrievedFrom(String target, Object tree) {
    Optional<Descriptor<?, ?>> descriptor = codec.descriptorNamed(target);
    if (descriptor.isEmpty()) {
      return codec.values.value(InputState.class, tree);
    }
    List<Object> found = new ArrayList<>();
    for (Object element : (List<?>) tree) {
      found.add(found(descriptor.get(), Trees.object(element)));
    }
    return found;
  }

  private <V> Retriever.Found<V, ?> found(
      Descriptor<V, ?> descriptor, SortedMap<String, Object> tree) {
    String path = Trees.text(tree, "key");
    Key<V> key = descriptor.type().parse(path).orElseThrow(() -> Trees.malformed("key " + path));
    return new Retriever.Found<>(
        key,
        codec.values.value(descriptor.type().valueType(), Trees.get(tree, "value")),
        codec.values.value(RecordingCodec.metadataOf(descriptor), Trees.get(tree, "metadata")),
        Origin.valueOf(Trees.text(tree, "origin")));
  }

  // What was loaded for an operation.

  private Object loaded(Loaded loaded) {
    SortedMap<String, Object> values = new TreeMap<>();
    loaded
        .values()
        .forEach(
            (path, value) ->
                values.put(
                    path,
                    value
                        .<Object>map(v -> codec.values.tree(codec.key(path).type().valueType(), v))
                        .orElse(Json.NULL)));
    SortedMap<String, Object> tree = Trees.of("values", values);
    tree.put("journal", codec.values.tree(Loaded.Seen.class, loaded.seen()));
    return tree;
  }

  private Loaded loaded(SortedMap<String, Object> tree) {
    SortedMap<String, Optional<?>> values = new TreeMap<>();
    Trees.object(tree, "values")
        .forEach(
            (path, value) ->
                values.put(
                    path,
                    value == Json.NULL
                        ? Optional.empty()
                        : Optional.of(
                            codec.values.value(codec.key(path).type().valueType(), value))));
    Loaded.Seen seen = codec.values.value(Loaded.Seen.class, Trees.get(tree, "journal"));
    return Loaded.of(seen, seen.open().flatMap(this::event), values);
  }

  private Optional<UpdateEvent> event(dev.evenkeel.txn.operation.OpenRecord open) {
    try {
      Event event = codec.events.decode(open.eventType(), open.eventVersion(), open.event());
      return event instanceof UpdateEvent update ? Optional.of(update) : Optional.empty();
    } catch (dev.evenkeel.api.EvenkeelException unreadable) {
      return Optional.empty();
    }
  }
}
