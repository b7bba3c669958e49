package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.InvalidField;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One key of the graph: what is desired and what is applied, kept apart; the state is computed from
 * them (transactions reference, rule B1 and TW-1). Loop thread only.
 */
final class Node {
  /** Owner of what no handler has put. */
  static final String NOBODY = "engine";

  final String path;
  final Key<?> key;

  /**
   * Whose values these are; absent for properties and for what nobody implements. Changes once, if
   * the descriptor comes late; only {@link Graph} changes it.
   */
  @Nullable Bound<?, ?> bound;

  /** What this derives from; absent for base values. */
  final @Nullable Node base;

  /** What derives from this, by path; only {@link Graph} changes it. */
  NodeSet derived = NodeSet.NONE;

  /** What needs exactly this; only {@link Graph} changes it. */
  NodeSet dependents = NodeSet.NONE;

  // What is desired.
  @Nullable Object desired;
  String owner = NOBODY;
  Optional<RetryPolicy> retry = Optional.empty();
  ValueOperation last = ValueOperation.UNDEFINED;

  // What is applied.
  @Nullable Object applied;
  @Nullable Object metadata;
  Origin origin = Origin.NORTH;
  List<Dependency> needs = List.of();

  /** Found by a refresh as ours, and not yet applied in this run. */
  boolean discovered;

  /** Was applied, and a refresh did not find it. */
  boolean missing;

  /** A delete failed: it may be there or not. Counts as not available; a create or delete tells. */
  boolean uncertain;

  // What went wrong.
  List<InvalidField> invalid = List.of();
  @Nullable Failure failure;

  /** The failure is not worth trying again. */
  boolean hopeless;

  /** What it waits in to be tried again; base values only. */
  @Nullable RetryGroup plan;

  /** What stopped the last operation although the value itself is as it was. */
  @Nullable Failure inherited;

  /** Number of the transaction in which an operation on it failed. */
  long broken = -1;

  // What is going on.
  /** Being removed: nobody may rely on it any more. */
  boolean going;

  /** Being changed: its own branch does not touch it again (rule 33). */
  boolean busy;

  /** Just removed, or between the delete and the create of a re-creation. */
  boolean removed;

  /** A call on it has not returned: it is frozen until it has (JT-4). */
  boolean hung;

  // What the graph remembers of it.
  /** In the graph. */
  boolean held;

  /** Any-of dependencies count on it. */
  boolean counted;

  /** Its entry for readers is to be made again. */
  boolean touched;

  /** The last entry that was made of it; only {@link Publisher} changes it. */
  Snapshot.@Nullable Entry entry;

  /** What derives from it has come or gone since its entry was made. */
  boolean moved;

  /** Mark of the pass over many nodes that has seen it last; see {@link Graph#nextPass}. */
  long seen;

  Node(Key<?> key, @Nullable Bound<?, ?> bound, @Nullable Node base) {
    this.path = key.path();
    this.key = key;
    this.bound = bound;
    this.base = base;
  }

  /** Takes a derived node; false when it had it. */
  boolean adopt(Node child) {
    if (derived == NodeSet.NONE) {
      derived = new NodeSet();
    }
    boolean fresh = derived.add(child);
    moved |= fresh;
    return fresh;
  }

  /** Lets a derived node go; false when it did not have it. */
  boolean disown(Node child) {
    boolean had = derived.remove(child);
    moved |= had;
    return had;
  }

  /** A copy of all that can be wanted, applied or wrong; it belongs to no graph. */
  Node copy() {
    Node copy = new Node(key, bound, base);
    copy.take(this);
    copy.needs = needs;
    copy.entry = entry;
    copy.moved = moved;
    return copy;
  }

  /** Becomes as another one is, but for what only the graph changes. */
  void take(Node from) {
    desired = from.desired;
    owner = from.owner;
    retry = from.retry;
    last = from.last;
    applied = from.applied;
    metadata = from.metadata;
    origin = from.origin;
    discovered = from.discovered;
    missing = from.missing;
    uncertain = from.uncertain;
    invalid = from.invalid;
    failure = from.failure;
    hopeless = from.hopeless;
    plan = from.plan;
    inherited = from.inherited;
    broken = from.broken;
    going = from.going;
    busy = from.busy;
    removed = from.removed;
    hung = from.hung;
  }

  boolean property() {
    return bound == null && base != null;
  }

  /** The base value that a failure of this one is reported with. */
  Node root() {
    return base == null ? this : base;
  }

  /** Whether others may rely on it: it is there, whatever became of the last operation. */
  boolean available() {
    return applied != null && !uncertain && !going;
  }

  boolean north() {
    return origin == Origin.NORTH;
  }

  /** Nothing was ever made of it, and nothing is wrong or going on. */
  boolean untouched() {
    return applied == null
        && !discovered
        && !missing
        && !uncertain
        && !going
        && !busy
        && !removed
        && !hung
        && failure == null
        && inherited == null
        && invalid.isEmpty()
        && derived.isEmpty();
  }

  /** Applied as wanted, by us, with all that derives from it; nothing is wrong or going on. */
  boolean clean() {
    Object there = applied;
    if (there == null
        || (desired != there && !there.equals(desired))
        || !north()
        || discovered
        || missing
        || uncertain
        || going
        || busy
        || removed
        || hung
        || failure != null
        || inherited != null
        || !invalid.isEmpty()) {
      return false;
    }
    return derived == NodeSet.NONE || derived.all(Node::clean);
  }

  /** Neither wanted nor there. */
  boolean empty() {
    return desired == null && applied == null && !hung;
  }

  ValueState state() {
    if (removed) {
      return ValueState.REMOVED;
    }
    if (desired == null && applied == null) {
      return failure != null ? failed() : missing ? ValueState.MISSING : ValueState.NONEXISTENT;
    }
    if (bound == null && base == null) {
      return ValueState.UNIMPLEMENTED;
    }
    if (!invalid.isEmpty()) {
      return ValueState.INVALID;
    }
    if (failure != null) {
      return failed();
    }
    if (applied != null) {
      return !north()
          ? ValueState.OBTAINED
          : discovered ? ValueState.DISCOVERED : ValueState.CONFIGURED;
    }
    if (bound != null && bound.unknown) {
      return ValueState.UNKNOWN;
    }
    return missing ? ValueState.MISSING : ValueState.PENDING;
  }

  private ValueState failed() {
    return !hopeless && root().plan != null ? ValueState.RETRYING : ValueState.FAILED;
  }

  /** Of a base value: whether it, or what derives from it, is not what it should be. */
  boolean unmet() {
    return fails(this)
        || (desired == null && applied != null && north())
        || derived.values().stream().anyMatch(Node::fails);
  }

  private static boolean fails(Node node) {
    return node.inherited != null || (node.failure != null && !node.hopeless);
  }

  /** It is there now, as given. */
  void present(Object value, @Nullable Object newMetadata, Origin newOrigin) {
    applied = value;
    metadata = newMetadata;
    origin = newOrigin;
    discovered = false;
    missing = false;
    uncertain = false;
    removed = false;
    going = false;
    failure = null;
    inherited = null;
  }

  /** It is not there any more. */
  void absent() {
    applied = null;
    metadata = null;
    discovered = false;
    missing = false;
    uncertain = false;
    going = false;
    origin = Origin.NORTH;
  }

  @Override
  public String toString() {
    return path + " " + state();
  }
}
