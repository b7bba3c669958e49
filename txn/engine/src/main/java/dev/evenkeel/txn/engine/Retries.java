package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Key;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** All retries that are planned, in the order in which they are due. Loop thread only. */
final class Retries {
  /** Above so many groups, those without anything left to try go without a transaction. */
  static final int MOST_GROUPS = 10_000;

  private final Graph graph;
  private final RetryBudget budget;

  /** What must be compared when it is free again. */
  private final SortedMap<String, Key<?>> dirty;

  private final List<RetryGroup> fresh = new ArrayList<>();
  private final TreeSet<RetryGroup> queue =
      new TreeSet<>(
          Comparator.comparing((RetryGroup group) -> group.due).thenComparing(g -> g.number));

  /** Due, and hung or frozen all of them. */
  private final List<RetryGroup> held = new ArrayList<>();

  private LongFunction<RandomGenerator> random = SplittableRandom::new;
  private @Nullable Instant spentUntil;
  private long planned;
  private int tidyAbove = MOST_GROUPS;

  Retries(Graph graph, RetryBudget budget, SortedMap<String, Key<?>> dirty) {
    this.graph = graph;
    this.budget = budget;
    this.dirty = dirty;
  }

  /** Where the jitter comes from: a generator for each number of a planned group. */
  void random(LongFunction<RandomGenerator> source) {
    random = source;
  }

  /** A transaction has ended. */
  void ended(List<RetryGroup> groups) {
    fresh.addAll(groups);
  }

  /** Something hung or frozen may be free again. */
  void release() {
    queue.addAll(held);
    held.clear();
  }

  /** The next one that can begin, now or later. */
  Optional<RetryGroup> next(Predicate<String> frozen, Instant now) {
    if (!fresh.isEmpty()) {
      fresh.forEach(group -> schedule(group, now));
      fresh.clear();
    }
    while (!queue.isEmpty()) {
      RetryGroup first = queue.first();
      if (first.due.isAfter(now)) {
        return Optional.of(first);
      }
      List<Node> live = first.live(graph);
      boolean all = !live.isEmpty();
      for (Node root : live) {
        all &= blocked(root, frozen);
      }
      if (all) {
        queue.remove(first);
        first.held = true;
        held.add(first);
      } else if (live.isEmpty() && first.held) {
        queue.remove(first); // what held it has seen to it
        first.forget(graph);
      } else {
        return Optional.of(first);
      }
    }
    return Optional.empty();
  }

  /** Takes the next one to begin it; what in it is hung or frozen waits on. */
  RetryGroup take(Predicate<String> frozen, Instant now) {
    RetryGroup group = due(frozen, now);
    queue.remove(group);
    RetryGroup rest = new RetryGroup(group.id);
    for (Node root : group.live(graph)) {
      if (blocked(root, frozen)) {
        rest.add(root);
      }
    }
    if (!rest.members.isEmpty()) {
      group.members.keySet().removeAll(rest.members.keySet());
      rest.due = group.due;
      rest.number = ++planned;
      rest.stale = group.stale;
      rest.held = true;
      held.add(rest);
    }
    return group;
  }

  /** The next one, which must be due; it stays. */
  RetryGroup due(Predicate<String> frozen, Instant now) {
    return next(frozen, now)
        .filter(first -> !first.due.isAfter(now))
        .orElseThrow(() -> new IllegalStateException("no retry is due"));
  }

  /** A key under a lock is compared when that is released (JT-7), a hung one when it returns. */
  private boolean blocked(Node root, Predicate<String> frozen) {
    if (frozen.test(root.path)) {
      dirty.put(root.path, root.key);
      return true;
    }
    return root.hung
        || (root.bound != null && root.bound.hung)
        || root.derived.values().stream().anyMatch(child -> child.hung);
  }

  private void schedule(RetryGroup group, Instant now) {
    group.number = ++planned;
    if (group.due.equals(Instant.MAX)) {
      group.due = budgeted(now.plus(jittered(group)), group.members.size(), now);
    }
    queue.add(group);
    if (queue.size() > tidyAbove) {
      queue.removeIf(
          old -> {
            boolean obsolete = !old.anyLive(graph);
            if (obsolete) {
              old.forget(graph);
            }
            return obsolete;
          });
      tidyAbove = Math.max(MOST_GROUPS, 2 * queue.size());
    }
  }

  /** Shorter by a random part, never longer: the cap holds. */
  private Duration jittered(RetryGroup group) {
    double jitter =
        group.members.values().stream()
            .flatMap(root -> root.retry.stream())
            .mapToDouble(policy -> policy.jitter())
            .max()
            .orElse(0);
    long nanos = group.id.delay().toNanos();
    if (jitter == 0) {
      return group.id.delay();
    }
    double less = jitter * random.apply(group.number).nextDouble();
    return Duration.ofNanos(Math.max(1, nanos - Math.round(nanos * less)));
  }

  private Instant budgeted(Instant wanted, int values, Instant now) {
    Instant spent = spentUntil;
    Instant from = spent == null || spent.isBefore(now) ? now : spent;
    Instant until = from.plus(budget.cost(values));
    spentUntil = until;
    Instant earliest = budget.earliest(from);
    return earliest.isAfter(wanted) ? earliest : wanted;
  }
}
