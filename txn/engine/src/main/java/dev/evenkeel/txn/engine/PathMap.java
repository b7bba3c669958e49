package dev.evenkeel.txn.engine;

import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map ordered by path. A change copies the way from the root to one entry and shares
 * everything else, so that a snapshot after each transaction costs O(changes · log n). Balanced as
 * an AVL tree: the heights of siblings differ by one at most.
 *
 * <p>Many changes in a row are made by an {@link Editor}: it copies a branch once, knows it again
 * by its stamp, and changes it in place until the map is frozen.
 */
final class PathMap<T> {
  /** Stamp of branches that nobody may change. */
  private static final long SHARED = 0;

  private final @Nullable Branch<T> root;

  private PathMap(@Nullable Branch<T> root) {
    this.root = root;
  }

  static <T> PathMap<T> empty() {
    return new PathMap<>(null);
  }

  @Nullable T get(String path) {
    return find(root, path);
  }

  PathMap<T> put(String path, T value) {
    return new PathMap<>(put(root, path, value, SHARED));
  }

  PathMap<T> remove(String path) {
    return get(path) == null ? this : new PathMap<>(remove(root, path, SHARED));
  }

  /** Visits, in order, all values whose path starts with the prefix. */
  void forEach(String prefix, Consumer<? super T> visitor) {
    any(
        prefix,
        (path, value) -> {
          visitor.accept(value);
          return false;
        });
  }

  /** Whether the test takes one of those whose path starts with the prefix; asked in order. */
  boolean any(String prefix, BiPredicate<String, ? super T> test) {
    return visit(root, prefix, test);
  }

  /** Entries on the longest way from the root. */
  int depth() {
    return height(root);
  }

  /** Changes a map of its own; {@link #freeze} gives it away. One thread. */
  static final class Editor<T> {
    private @Nullable Branch<T> root;
    private long stamp = SHARED + 1;

    @Nullable T get(String path) {
      return find(root, path);
    }

    void put(String path, T value) {
      root = PathMap.put(root, path, value, stamp);
    }

    /** Takes out a path that must be there. */
    void remove(String path) {
      root = PathMap.remove(root, path, stamp);
    }

    /** As it is now; later changes do not reach it. */
    PathMap<T> freeze() {
      stamp++;
      return new PathMap<>(root);
    }

    /** Goes back to what was frozen. */
    void reset(PathMap<T> to) {
      stamp++;
      root = to.root;
    }

    /** As {@link PathMap#any}. */
    boolean any(String prefix, BiPredicate<String, ? super T> test) {
      return visit(root, prefix, test);
    }

    /** The next path in order, if there is one that starts with the prefix. */
    @Nullable String higher(String path, String prefix) {
      Branch<T> at = root;
      String next = null;
      while (at != null) {
        if (at.path.compareTo(path) > 0) {
          next = at.path;
          at = at.left;
        } else {
          at = at.right;
        }
      }
      return next != null && next.startsWith(prefix) ? next : null;
    }
  }

  private static <T> @Nullable T find(@Nullable Branch<T> from, String path) {
    Branch<T> at = from;
    while (at != null) {
      int side = path.compareTo(at.path);
      if (side == 0) {
        return at.value;
      }
      at = side < 0 ? at.left : at.right;
    }
    return null;
  }

  private static <T> boolean visit(
      @Nullable Branch<T> at, String prefix, BiPredicate<String, ? super T> test) {
    if (at == null) {
      return false;
    }
    boolean inside = at.path.startsWith(prefix);
    boolean before = !inside && at.path.compareTo(prefix) < 0;
    boolean after = !inside && !before;
    return (!before && visit(at.left, prefix, test))
        || (inside && test.test(at.path, at.value))
        || (!after && visit(at.right, prefix, test));
  }

  private static <T> Branch<T> put(@Nullable Branch<T> at, String path, T value, long stamp) {
    if (at == null) {
      return new Branch<>(path, value, stamp);
    }
    int side = path.compareTo(at.path);
    Branch<T> mine = own(at, stamp);
    if (side == 0) {
      mine.value = value;
      return mine;
    }
    if (side < 0) {
      mine.left = put(mine.left, path, value, stamp);
    } else {
      mine.right = put(mine.right, path, value, stamp);
    }
    return balanced(mine, stamp);
  }

  private static <T> @Nullable Branch<T> remove(@Nullable Branch<T> at, String path, long stamp) {
    if (at == null) {
      return null;
    }
    int side = path.compareTo(at.path);
    if (side == 0 && (at.left == null || at.right == null)) {
      return at.left == null ? at.right : at.left;
    }
    Branch<T> mine = own(at, stamp);
    if (side < 0) {
      mine.left = remove(mine.left, path, stamp);
    } else if (side > 0) {
      mine.right = remove(mine.right, path, stamp);
    } else if (mine.right != null) {
      Branch<T> next = mine.right;
      while (next.left != null) {
        next = next.left;
      }
      mine.path = next.path;
      mine.value = next.value;
      mine.right = remove(mine.right, next.path, stamp);
    }
    return balanced(mine, stamp);
  }

  /** A branch that may be changed: itself, or a copy. */
  private static <T> Branch<T> own(Branch<T> at, long stamp) {
    if (stamp != SHARED && at.stamp == stamp) {
      return at;
    }
    Branch<T> copy = new Branch<>(at.path, at.value, stamp);
    copy.left = at.left;
    copy.right = at.right;
    copy.height = at.height;
    return copy;
  }

  private static <T> Branch<T> balanced(Branch<T> at, long stamp) {
    int lean = height(at.left) - height(at.right);
    if (lean > 1 && at.left != null) {
      Branch<T> left = own(at.left, stamp);
      if (left.right == null || height(left.left) >= left.right.height) {
        at.left = left.right;
        left.right = at;
        measured(at);
        return measured(left);
      }
      Branch<T> inner = own(left.right, stamp);
      left.right = inner.left;
      at.left = inner.right;
      inner.left = measured(left);
      inner.right = measured(at);
      return measured(inner);
    }
    if (lean < -1 && at.right != null) {
      Branch<T> right = own(at.right, stamp);
      if (right.left == null || height(right.right) >= right.left.height) {
        at.right = right.left;
        right.left = at;
        measured(at);
        return measured(right);
      }
      Branch<T> inner = own(right.left, stamp);
      right.left = inner.right;
      at.right = inner.left;
      inner.right = measured(right);
      inner.left = measured(at);
      return measured(inner);
    }
    return measured(at);
  }

  private static <T> Branch<T> measured(Branch<T> at) {
    at.height = 1 + Math.max(height(at.left), height(at.right));
    return at;
  }

  private static int height(@Nullable Branch<?> branch) {
    return branch == null ? 0 : branch.height;
  }

  private static final class Branch<T> {
    String path;
    T value;
    @Nullable Branch<T> left;
    @Nullable Branch<T> right;
    int height = 1;
    final long stamp;

    Branch(String path, T value, long stamp) {
      this.path = path;
      this.value = value;
      this.stamp = stamp;
    }
  }
}
