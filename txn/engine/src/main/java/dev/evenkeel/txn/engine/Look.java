package dev.evenkeel.txn.engine;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.InvalidField;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that a descriptor's pure functions say of a value that is to be applied, asked in one
 * place, so that what they throw is one failure.
 *
 * @param same whether it means the same as what is applied
 * @param recreates whether the change is a delete and a create
 */
record Look(
    List<InvalidField> invalid,
    List<Dependency> needs,
    SortedMap<String, KeyedValue<?>> derived,
    boolean same,
    boolean recreates) {
  /** Of a value that needs nothing and derives what is given. */
  static Look plain(boolean same, SortedMap<String, KeyedValue<?>> derived) {
    return new Look(List.of(), List.of(), derived, same, false);
  }

  /** Asks the descriptor; throws what it throws. */
  static Look at(Node node, Bound<?, ?> bound, Object wanted) {
    if (!bound.accepts(node.key, wanted)) {
      throw new EvenkeelException(
          ErrorKind.INVALID, "the value is not of the class that its key type says");
    }
    List<InvalidField> invalid = bound.validate(node.key, wanted);
    if (!invalid.isEmpty()) {
      return new Look(List.copyOf(invalid), List.of(), Collections.emptySortedMap(), false, false);
    }
    Object applied = node.applied;
    boolean same = applied != null && bound.same(node.key, applied, wanted);
    boolean recreates = applied != null && !same && bound.recreates(node, applied, wanted);
    return new Look(
        List.of(), needs(bound, node, wanted), derived(bound, node, wanted), same, recreates);
  }

  static List<Dependency> needs(Bound<?, ?> bound, Node node, Object value) {
    List<Dependency> needs = List.copyOf(bound.dependencies(node.key, value));
    Set<String> labels = new HashSet<>();
    for (Dependency need : needs) {
      if (!labels.add(need.label())) {
        throw new EvenkeelException(
            ErrorKind.INVALID, "two dependencies have the label " + need.label());
      }
    }
    return needs;
  }

  /** Derived values do not derive further (rule 1). */
  static SortedMap<String, KeyedValue<?>> derived(Bound<?, ?> bound, Node node, Object value) {
    return node.base != null ? new TreeMap<>() : bound.derived(node.key, value);
  }
}
