package dev.evenkeel.testkit.determinism;

import static org.junit.jupiter.api.Assertions.fail;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.handler.EventHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Looks through the code of handlers, and all code of their author that they go into, for the wall
 * clock, randomness, threads, and iteration in hash order. Steps are left out: they run on workers,
 * and what they return is recorded. So is what has {@code @AllowNondeterminism} with a reason.
 * Called by tests; reads class files, runs nothing of them.
 *
 * <pre>{@code
 * @Test
 * void deterministic() {
 *   Determinism.check(Quota.class, Allocator.class);
 * }
 * }</pre>
 *
 * <p>It sees what is called by name. What goes through reflection, or an interface whose
 * implementation is elsewhere, it does not see: replay recordings, too.
 */
@Experimental
public final class Determinism {
  private static final int MOST_CLASSES = 10_000;

  private Determinism() {}

  /** Fails the test with all that was found. */
  public static void check(Class<?>... handlers) {
    List<Finding> found = scan(handlers);
    if (!found.isEmpty()) {
      fail(
          "handlers must decide by the turn alone:\n  "
              + String.join("\n  ", found.stream().map(Finding::toString).toList()));
    }
  }

  /** The same for handlers that are there; for those made of callbacks, give the class instead. */
  public static void check(EventHandler... handlers) {
    Class<?>[] classes = new Class<?>[handlers.length];
    for (int i = 0; i < handlers.length; i++) {
      classes[i] = handlers[i].getClass();
    }
    check(classes);
  }

  /** All that was found, by place. */
  public static List<Finding> scan(Class<?>... handlers) {
    SortedSet<Finding> found = new TreeSet<>();
    for (Class<?> handler : handlers) {
      AuthorsCode code = AuthorsCode.of(handler);
      SortedSet<String> seen = new TreeSet<>();
      Deque<String> next = new ArrayDeque<>(List.of(handler.getName().replace('.', '/')));
      while (!next.isEmpty() && seen.size() < MOST_CLASSES) {
        String name = next.removeFirst();
        if (seen.add(name)) {
          code.read(name)
              .ifPresent(
                  node -> {
                    ClassScan scan = new ClassScan(node);
                    found.addAll(scan.findings());
                    next.addAll(scan.uses());
                  });
        }
      }
    }
    return new ArrayList<>(found);
  }
}
