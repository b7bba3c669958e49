package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.Retriever;
import dev.evenkeel.txn.ActionOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what the engine believes to be applied to what the outside says (transactions reference,
 * rules 46 to 50). Nothing is applied here, and nobody is woken: the visits that follow look at
 * everything again.
 */
final class Refresh {
  private static final Logger LOG = LoggerFactory.getLogger(Refresh.class);

  private final Work work;
  private final Graph graph;
  private final List<Bound<?, ?>> inOrder;

  /** Takes the descriptors in the order in which they are retrieved. */
  Refresh(Work work, List<Bound<?, ?>> inOrder) {
    this.work = work;
    this.graph = work.graph;
    this.inOrder = inOrder;
  }

  /**
   * Everything. In the first full resync what is about to be put helps to match what is found.
   *
   * @param puts what is about to be put, by path; empty but in the first full resync
   */
  void all(SortedMap<String, KeyedValue<?>> puts) {
    List<Runnable> tasks = new ArrayList<>();
    for (Bound<?, ?> bound : inOrder) {
      if (bound.retrieves()) {
        tasks.add(() -> all(bound, puts));
      }
    }
    work.agenda.next(tasks.toArray(Runnable[]::new));
  }

  /** Everything of one descriptor that retrieves. */
  void all(Bound<?, ?> bound, SortedMap<String, KeyedValue<?>> puts) {
    if (bound.hung) {
      return; // its keys stay as they are until the call returns
    }
    List<Retriever.Known<?, ?>> now = new KnownValues(bound, graph.publisher().frozen());
    List<Retriever.Known<?, ?>> known = puts.isEmpty() ? now : correlated(bound, puts, now);
    retrieve(bound, known, null, answer -> merge(bound, answer, puts, null));
  }

  private static List<Retriever.Known<?, ?>> correlated(
      Bound<?, ?> bound, SortedMap<String, KeyedValue<?>> puts, List<Retriever.Known<?, ?>> now) {
    TreeMap<String, Retriever.Known<?, ?>> known = new TreeMap<>();
    now.forEach(one -> known.put(one.key().path(), one));
    puts.forEach(
        (path, put) -> {
          if (bound.accepts(put.key(), put.value())) {
            known.put(path, bound.known(put.key(), put.value(), null));
          }
        });
    return List.copyOf(known.values());
  }

  /** Some base values, of which an operation has failed. */
  void some(Collection<Node> nodes) {
    List<Runnable> tasks = new ArrayList<>();
    for (Bound<?, ?> bound : inOrder) {
      List<Node> mine = nodes.stream().filter(node -> node.bound == bound && !hangs(node)).toList();
      if (bound.retrieves() && !bound.hung && !mine.isEmpty()) {
        tasks.add(() -> some(bound, mine));
      }
    }
    work.agenda.next(tasks.toArray(Runnable[]::new));
  }

  private void some(Bound<?, ?> bound, List<Node> nodes) {
    List<Retriever.Known<?, ?>> known = new ArrayList<>();
    TreeMap<String, Key<?>> only = new TreeMap<>();
    for (Node node : nodes) {
      Object value = node.desired == null ? node.applied : node.desired;
      if (value != null) {
        known.add(bound.known(node.key, value, node.metadata));
      }
      only.put(node.path, node.key);
    }
    ask(
        bound,
        known,
        List.copyOf(only.values()),
        answer -> merge(bound, answer, Collections.emptySortedMap(), only));
  }

  /** Asks for some keys of a descriptor that retrieves. */
  void ask(
      Bound<?, ?> bound,
      List<Retriever.Known<?, ?>> known,
      List<Key<?>> only,
      Consumer<List<?>> then) {
    retrieve(bound, List.copyOf(known), only, then);
  }

  private void retrieve(
      Bound<?, ?> bound,
      List<Retriever.Known<?, ?>> known,
      @Nullable List<Key<?>> only,
      Consumer<List<?>> then) {
    Call call = bound.retrieve(known, only);
    work.agenda.call(
        call,
        outcome -> {
          if (outcome instanceof ActionOutcome.Done done && done.value() instanceof List<?> list) {
            then.accept(list);
          } else if (outcome instanceof ActionOutcome.TimedOut timedOut) {
            work.hangs.add(call, new Hangs.Hang(null, bound, null));
            if (only == null) {
              inOrder.forEach(Refresh::blind); // those behind it are not asked any more
            }
            work.log.add(
                Failure.of(
                    "engine",
                    "retrieve " + bound.name(),
                    ErrorKind.DEADLINE_EXCEEDED,
                    "has not returned within " + timedOut.limit() + " and still runs"));
            work.breakOff();
          } else if (outcome instanceof ActionOutcome.Failed failed) {
            work.log.add(Failure.of("engine", "retrieve " + bound.name(), failed.thrown()));
            if (only == null) {
              blind(bound);
            }
          }
        });
  }

  /** What has never been looked at is not touched until it has been (TW-9). */
  private static void blind(Bound<?, ?> bound) {
    bound.unknown |= bound.retrieves() && !bound.retrieved;
  }

  /**
   * Compares what was found with what is known. What is as it was costs a look; the rest is gone
   * through in order.
   */
  private void merge(
      Bound<?, ?> bound,
      List<?> answer,
      SortedMap<String, KeyedValue<?>> puts,
      @Nullable SortedMap<String, Key<?>> only) {
    if (only == null) {
      bound.retrieved = true;
      bound.unknown = false;
    }
    long pass = graph.nextPass();
    TreeMap<String, Retriever.Found<?, ?>> changed = new TreeMap<>();
    for (Object one : answer) {
      Retriever.Found<?, ?> found = valid(bound, one);
      String path = found == null ? "" : found.key().path();
      if (found != null && only != null && !only.containsKey(path)) {
        continue; // it was not asked for
      }
      Node node = graph.peek(path);
      if (found == null
          || (node != null && node.seen == pass)
          || changed.containsKey(path)) { // those that cannot be meant are skipped (rule 47)
        LOG.warn(
            "descriptor {} has retrieved a value without key or value, of a foreign kind, or"
                + " twice; skipped",
            bound.name());
        continue;
      }
      if (node != null) {
        node.seen = pass;
      }
      if (node == null || !isAsFound(node, found)) {
        changed.put(path, found);
      }
    }
    changed.forEach((path, found) -> observe(found, puts.containsKey(path)));
    for (Node node : candidates(bound, only, pass)) {
      if (node.seen != pass && !changed.containsKey(node.path)) {
        graph.keep(node);
        if (!hangs(node) && !work.leave(node)) {
          vanish(node);
        }
      }
    }
  }

  private boolean isAsFound(Node node, Retriever.Found<?, ?> found) {
    try {
      return node.base == null
          && node.clean()
          && found.value().equals(node.applied)
          && Objects.equals(found.metadata(), node.metadata)
          && !work.frozen.test(node.path);
    } catch (RuntimeException | Error thrown) {
      return false; // it is looked at more closely
    }
  }

  /** Base values that should have been found, by path. */
  private List<Node> candidates(
      Bound<?, ?> bound, @Nullable SortedMap<String, Key<?>> only, long pass) {
    List<Node> nodes = new ArrayList<>();
    if (only == null) {
      graph.forEach(
          node -> {
            if (node.seen != pass && node.base == null && node.bound == bound) {
              nodes.add(node);
            }
          });
      nodes.sort(Comparator.comparing(node -> node.path));
      return nodes;
    }
    for (String path : only.keySet()) {
      Node node = graph.find(path);
      if (node != null && node.base == null) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  /** What can be meant, of what was retrieved. */
  static Retriever.@Nullable Found<?, ?> valid(Bound<?, ?> bound, Object one) {
    return one instanceof Retriever.Found<?, ?> f
            && (Object) f.key() != null
            && f.value() != null
            && bound.accepts(f.key(), f.value())
        ? f
        : null;
  }

  private void observe(Retriever.Found<?, ?> found, boolean known) {
    Key<?> key = found.key();
    Node there = graph.find(key.path());
    if (there != null && there.base != null) {
      LOG.warn("{} is retrieved as a base value, but derives from another; skipped", key.path());
      return;
    }
    if (there != null ? hangs(there) || work.leave(there) : work.frozen.test(key.path())) {
      work.dirty.put(key.path(), key);
      return;
    }
    Node node = graph.base(key);
    Origin origin =
        found.origin() != Origin.UNKNOWN ? found.origin() : known ? Origin.NORTH : Origin.SOUTH;
    present(node, found.value(), found.metadata(), origin);
    Bound<?, ?> bound = node.bound;
    if (bound != null) {
      relations(bound, node, found.value());
    }
  }

  /** It is there: what fails keeps its failure, what nobody knew is discovered or obtained. */
  private void present(Node node, Object value, @Nullable Object metadata, Origin originOfNew) {
    boolean fresh = node.desired == null && node.applied == null;
    boolean discovered = fresh ? originOfNew == Origin.NORTH : node.discovered;
    Failure failure = node.failure;
    Failure inherited = node.inherited;
    node.present(
        value, metadata, fresh ? originOfNew : node.applied == null ? Origin.NORTH : node.origin);
    node.discovered = discovered;
    node.failure = failure;
    node.inherited = inherited;
    graph.settle(node);
  }

  private void relations(Bound<?, ?> bound, Node node, Object value) {
    SortedMap<String, KeyedValue<?>> derived = new TreeMap<>();
    try {
      graph.relate(node, node.north() ? Look.needs(bound, node, value) : List.of());
      derived = Look.derived(bound, node, value);
    } catch (RuntimeException | Error thrown) {
      LOG.warn("descriptor {} cannot tell the relations of {}", bound.name(), node.path, thrown);
    }
    for (Node child : List.copyOf(node.derived.values())) {
      if (!derived.containsKey(child.path)) {
        graph.keep(child);
        vanish(child);
      }
    }
    for (KeyedValue<?> one : derived.values()) {
      Node child = graph.derived(one.key(), node);
      if (child.base != node) {
        continue; // said when it is put
      }
      child.owner = node.owner;
      present(child, one.value(), child.metadata, node.origin);
      if (child.bound != null) {
        relations(child.bound, child, one.value());
      }
    }
  }

  /** It is not there: what was ours and wanted is missing, the rest is forgotten (rule 48). */
  private void vanish(Node node) {
    for (Node child : List.copyOf(node.derived.values())) {
      graph.keep(child);
      vanish(child);
    }
    boolean was = node.applied != null;
    if (!was && node.desired != null) {
      return; // pending, failed, missing already
    }
    node.absent();
    if (node.desired == null) {
      node.removed = true;
      graph.drop(node);
      return;
    }
    node.missing = node.failure == null && node.invalid.isEmpty();
    graph.settle(node);
  }

  static boolean hangs(Node node) {
    return node.hung || node.derived.values().stream().anyMatch(child -> child.hung);
  }
}
