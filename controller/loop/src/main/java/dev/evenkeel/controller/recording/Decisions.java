package dev.evenkeel.controller.recording;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.controller.core.LoopDecision;
import dev.evenkeel.txn.TxnEntry;
import java.util.SortedMap;
import java.util.TreeMap;

/** Decisions as trees, without what differs from run to run: durations. */
final class Decisions {
  /**
   * For people, and not compared: a refusal says how far the holder of a lock is, which only the
   * worker knew.
   */
  static final String WORDS = "words";

  private final RecordingCodec codec;

  Decisions(RecordingCodec codec) {
    this.codec = codec;
  }

  SortedMap<String, Object> tree(LoopDecision decision) {
    SortedMap<String, Object> tree = new TreeMap<>();
    if (decision instanceof LoopDecision.Began began) {
      event(tree, "began", began.id().number());
      tree.put("sequence", began.sequence());
    } else if (decision instanceof LoopDecision.Delayed delayed) {
      event(tree, "delayed", delayed.id().number());
    } else if (decision instanceof LoopDecision.Called called) {
      event(tree, called.record().revert() ? "called to revert" : "called", called.id().number());
      tree.put("handler", called.record().handler());
      tree.put("change", called.record().change());
      called
          .record()
          .failure()
          .ifPresent(
              why -> {
                tree.put("failure", kind(why));
                tree.put(WORDS, why.message());
              });
    } else if (decision instanceof LoopDecision.Versioned versioned) {
      event(tree, "versioned", versioned.id().number());
      tree.put("handler", versioned.handler());
      tree.put("name", versioned.name());
      tree.put("version", (long) versioned.version());
    } else if (decision instanceof LoopDecision.Planned planned) {
      event(tree, "planned", planned.id().number());
      tree.put("entries", planned.entries().stream().map(this::entry).toList());
    } else if (decision instanceof LoopDecision.Dispatched call) {
      event(tree, "dispatched", call.id().number());
      tree.put("work", call.work());
      tree.put("call", call.kind().name());
      tree.put("target", call.target());
    } else if (decision instanceof LoopDecision.Scripted script) {
      event(tree, "scripted", script.id().number());
      tree.put("work", script.work());
    } else {
      rest(tree, decision);
    }
    return tree;
  }

  private void rest(SortedMap<String, Object> tree, LoopDecision decision) {
    if (decision instanceof LoopDecision.Made made) {
      event(tree, "made", made.id().number());
      tree.put("type", made.event().type().name());
      tree.put("text", made.event().describe());
    } else if (decision instanceof LoopDecision.TimerSet timer) {
      tree.put("kind", "timer set");
      tree.put("timer", timer.timer());
      tree.put("at", timer.at().toString());
    } else if (decision instanceof LoopDecision.Answered answered) {
      event(tree, "answered", answered.id().number());
      outcome(tree, answered.outcome());
    } else if (decision instanceof LoopDecision.Superseded superseded) {
      event(tree, "superseded", superseded.id().number());
      tree.put("by", superseded.by().number());
    } else if (decision instanceof LoopDecision.StateChanged changed) {
      tree.put("kind", "state changed");
      tree.put("before", changed.before().name());
      tree.put("after", changed.after().name());
      tree.put(WORDS, changed.reason());
    } else {
      throw new IllegalStateException("not a decision: " + decision);
    }
  }

  private static void event(SortedMap<String, Object> tree, String kind, long id) {
    tree.put("kind", kind);
    tree.put("event", id);
  }

  private void outcome(SortedMap<String, Object> tree, Outcome<?> outcome) {
    tree.put("outcome", outcome.word());
    outcome.answer().ifPresent(answer -> tree.put("answer", codec.values.shown(answer)));
    if (!outcome.failures().isEmpty()) {
      tree.put("failures", outcome.failures().stream().map(Decisions::kind).toList());
      tree.put(WORDS, outcome.failures().stream().map(Failure::message).toList());
    }
  }

  /** A failure but for its words. */
  private static String kind(Failure failure) {
    return failure.owner()
        + " "
        + failure.operation()
        + failure.key().map(key -> " " + key).orElse("")
        + ": "
        + failure.kind();
  }

  private Object entry(TxnEntry entry) {
    SortedMap<String, Object> tree = Trees.of("owner", entry.owner());
    if (entry instanceof TxnEntry.Put<?> put) {
      tree.put("put", put.key().path());
      tree.put("value", codec.values.shown(put.value()));
      put.retry().ifPresent(retry -> tree.put("retry", retry.toString()));
    } else if (entry instanceof TxnEntry.Delete delete) {
      tree.put("delete", delete.key().path());
    } else if (entry instanceof TxnEntry.Act act) {
      tree.put("step", act.step().name());
    } else if (entry instanceof TxnEntry.Records records) {
      tree.put("records", records.phase().name());
    }
    return tree;
  }
}
