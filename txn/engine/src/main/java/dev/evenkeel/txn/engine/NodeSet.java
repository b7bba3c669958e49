package dev.evenkeel.txn.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Some nodes, ordered by path. Nearly always one alone, which then costs next to nothing. */
final class NodeSet {
  private @Nullable Node one;
  private @Nullable TreeMap<String, Node> more;

  void add(Node node) {
    if (more != null) {
      more.put(node.path, node);
    } else if (one == null || one.path.equals(node.path)) {
      one = node;
    } else {
      more = new TreeMap<>();
      more.put(one.path, one);
      more.put(node.path, node);
      one = null;
    }
  }

  void remove(Node node) {
    if (more != null) {
      more.remove(node.path);
    } else if (one != null && one.path.equals(node.path)) {
      one = null;
    }
  }

  boolean isEmpty() {
    return one == null && (more == null || more.isEmpty());
  }

  /** All of them; a copy. */
  List<Node> list() {
    if (more != null) {
      return new ArrayList<>(more.values());
    }
    return one == null ? List.of() : List.of(one);
  }
}
