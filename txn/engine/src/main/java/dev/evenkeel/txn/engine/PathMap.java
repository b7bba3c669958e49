package dev.evenkeel.txn.engine;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map ordered by path. A change copies the way from the root to one entry and shares
 * everything else, so that a snapshot after each transaction costs O(changes · log n). Balanced as
 * an AVL tree: the heights of siblings differ by one at most.
 */
final class PathMap<T> {
  private final @Nullable Branch<T> root;

  private PathMap(@Nullable Branch<T> root) {
    this.root = root;
  }

  static <T> PathMap<T> empty() {
    return new PathMap<>(null);
  }

  @Nullable T get(String path) {
    Branch<T> at = root;
    while (at != null) {
      int side = path.compareTo(at.path);
      if (side == 0) {
        return at.value;
      }
      at = side < 0 ? at.left : at.right;
    }
    return null;
  }

  PathMap<T> put(String path, T value) {
    return new PathMap<>(put(root, path, value));
  }

  PathMap<T> remove(String path) {
    return get(path) == null ? this : new PathMap<>(remove(root, path));
  }

  /** Visits, in order, all values whose path starts with the prefix. */
  void forEach(String prefix, Consumer<? super T> visitor) {
    visit(root, prefix, visitor);
  }

  private static <T> void visit(
      @Nullable Branch<T> at, String prefix, Consumer<? super T> visitor) {
    if (at == null) {
      return;
    }
    boolean inside = at.path.startsWith(prefix);
    boolean before = !inside && at.path.compareTo(prefix) < 0;
    boolean after = !inside && !before;
    if (!before) {
      visit(at.left, prefix, visitor);
    }
    if (inside) {
      visitor.accept(at.value);
    }
    if (!after) {
      visit(at.right, prefix, visitor);
    }
  }

  private static <T> Branch<T> put(@Nullable Branch<T> at, String path, T value) {
    if (at == null) {
      return new Branch<>(path, value, null, null);
    }
    int side = path.compareTo(at.path);
    if (side == 0) {
      return new Branch<>(path, value, at.left, at.right);
    }
    return side < 0
        ? balanced(at.path, at.value, put(at.left, path, value), at.right)
        : balanced(at.path, at.value, at.left, put(at.right, path, value));
  }

  private static <T> @Nullable Branch<T> remove(@Nullable Branch<T> at, String path) {
    if (at == null) {
      return null;
    }
    int side = path.compareTo(at.path);
    if (side < 0) {
      return balanced(at.path, at.value, remove(at.left, path), at.right);
    }
    if (side > 0) {
      return balanced(at.path, at.value, at.left, remove(at.right, path));
    }
    if (at.left == null || at.right == null) {
      return at.left == null ? at.right : at.left;
    }
    Branch<T> next = at.right;
    while (next.left != null) {
      next = next.left;
    }
    return balanced(next.path, next.value, at.left, remove(at.right, next.path));
  }

  private static <T> Branch<T> balanced(
      String path, T value, @Nullable Branch<T> left, @Nullable Branch<T> right) {
    int lean = height(left) - height(right);
    if (left != null && lean > 1) {
      Branch<T> inner = left.right;
      return inner == null || height(left.left) >= inner.height
          ? new Branch<>(left.path, left.value, left.left, new Branch<>(path, value, inner, right))
          : new Branch<>(
              inner.path,
              inner.value,
              new Branch<>(left.path, left.value, left.left, inner.left),
              new Branch<>(path, value, inner.right, right));
    }
    if (right != null && lean < -1) {
      Branch<T> inner = right.left;
      return inner == null || height(right.right) >= inner.height
          ? new Branch<>(
              right.path, right.value, new Branch<>(path, value, left, inner), right.right)
          : new Branch<>(
              inner.path,
              inner.value,
              new Branch<>(path, value, left, inner.left),
              new Branch<>(right.path, right.value, inner.right, right.right));
    }
    return new Branch<>(path, value, left, right);
  }

  /** Entries on the longest way from the root. */
  int depth() {
    return height(root);
  }

  private static int height(@Nullable Branch<?> branch) {
    return branch == null ? 0 : branch.height;
  }

  private static final class Branch<T> {
    final String path;
    final T value;
    final @Nullable Branch<T> left;
    final @Nullable Branch<T> right;
    final int height;

    Branch(String path, T value, @Nullable Branch<T> left, @Nullable Branch<T> right) {
      this.path = path;
      this.value = value;
      this.left = left;
      this.right = right;
      this.height = 1 + Math.max(PathMap.height(left), PathMap.height(right));
    }
  }
}
