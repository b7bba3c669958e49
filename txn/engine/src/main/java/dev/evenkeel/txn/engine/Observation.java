package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.ObservedValues;
import dev.evenkeel.api.txn.ObservedValues.Observed;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.Retriever;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import dev.evenkeel.txn.Cursor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks descriptors what is really there (rule 61), one after another, and compares nothing: the
 * graph is as before. When one does not return in time the others are not asked.
 */
final class Observation implements Cursor<ObservedValues> {
  private final ObserveValues asked;
  private final PathMap<Snapshot.Entry> known;
  private final Hangs hangs;
  private final BiConsumer<Action, ActionOutcome> called;
  private final Runnable ended;
  private final Queue<Bound<?, ?>> waiting = new ArrayDeque<>();
  private final SortedMap<String, Observed> values = new TreeMap<>();
  private final List<Failure> failures = new ArrayList<>();
  private final StepResults results = new StepResults();
  private int found;
  private @Nullable Bound<?, ?> current;
  private @Nullable Call calling;

  Observation(
      ObserveValues asked,
      List<Bound<?, ?>> inOrder,
      PathMap<Snapshot.Entry> known,
      Hangs hangs,
      BiConsumer<Action, ActionOutcome> called,
      Runnable ended) {
    this.asked = asked;
    this.known = known;
    this.hangs = hangs;
    this.called = called;
    this.ended = ended;
    for (Bound<?, ?> bound : inOrder) {
      String prefix = bound.descriptor().type().prefix();
      boolean wanted = asked.descriptor().map(bound.name()::equals).orElse(true);
      if (wanted && (prefix.startsWith(asked.prefix()) || asked.prefix().startsWith(prefix))) {
        waiting.add(bound);
      }
    }
    if (waiting.isEmpty() && asked.descriptor().isPresent()) {
      failed(asked.descriptor().get(), ErrorKind.NOT_FOUND, "no such descriptor has such paths");
    }
  }

  private void failed(String descriptor, ErrorKind kind, String why) {
    failures.add(Failure.of("engine", "retrieve " + descriptor, kind, why));
  }

  @Override
  public Results results() {
    return results;
  }

  @Override
  public Next<ObservedValues> next(ActionOutcome outcome) {
    Bound<?, ?> of = current;
    Call call = calling;
    if (of != null && call != null) {
      called.accept(call, outcome);
      take(of, call, outcome);
    }
    for (Bound<?, ?> bound = waiting.poll(); bound != null; bound = waiting.poll()) {
      if (!bound.retrieves()) {
        failed(bound.name(), ErrorKind.UNIMPLEMENTED, "it cannot tell what is there");
      } else if (bound.hung) {
        failed(bound.name(), ErrorKind.BUSY, "an earlier call has not returned");
      } else {
        current = bound;
        calling = bound.retrieve(new KnownValues(bound, known), null);
        return new Next.Act<>(calling);
      }
    }
    ended.run();
    return new Next.End<>(new ObservedValues(new ArrayList<>(values.values()), found, failures));
  }

  private void take(Bound<?, ?> bound, Call call, ActionOutcome outcome) {
    current = null;
    calling = null;
    if (outcome instanceof ActionOutcome.Done done && done.value() instanceof List<?> list) {
      list.forEach(one -> add(bound, one));
    } else if (outcome instanceof ActionOutcome.TimedOut timedOut) {
      hangs.add(call, new Hangs.Hang(null, bound, null));
      failed(
          bound.name(),
          ErrorKind.DEADLINE_EXCEEDED,
          "has not returned within " + timedOut.limit() + " and still runs");
      waiting.forEach(
          rest -> failed(rest.name(), ErrorKind.CANCELLED, bound.name() + " has not returned"));
      waiting.clear();
    } else if (outcome instanceof ActionOutcome.Failed failure) {
      failures.add(Failure.of("engine", "retrieve " + bound.name(), failure.thrown()));
    }
  }

  private void add(Bound<?, ?> bound, Object one) {
    Retriever.Found<?, ?> seen = Refresh.valid(bound, one);
    if (seen == null || !seen.key().path().startsWith(asked.prefix())) {
      return;
    }
    String path = seen.key().path();
    if (values.put(path, observed(bound, seen)) == null) {
      found++;
    }
    if (values.size() > asked.limit()) {
      values.remove(values.lastKey());
    }
  }

  @SuppressWarnings("unchecked") // the descriptor accepts the value for the key
  private static Observed observed(Bound<?, ?> bound, Retriever.Found<?, ?> seen) {
    return new Observed(
        bound.name(),
        new KeyedValue<>((Key<Object>) seen.key(), seen.value()),
        seen.metadata(),
        seen.origin());
  }
}
