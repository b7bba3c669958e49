package dev.evenkeel.api.handler;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Where a handler wants to stand among the others: names of handlers that must come before and
 * after it. A name that no handler has is ignored; a contradiction is refused when the loop is
 * built, with the cycle named. Handlers without a constraint keep the order in which they were
 * given.
 *
 * @param after handlers that come before this one
 * @param before handlers that come after this one
 */
public record Order(SortedSet<String> after, SortedSet<String> before) {
  /** No wish. */
  public static final Order ANY =
      new Order(Collections.emptySortedSet(), Collections.emptySortedSet());

  /** Copies the sets. */
  public Order {
    after = Collections.unmodifiableSortedSet(new TreeSet<>(after));
    before = Collections.unmodifiableSortedSet(new TreeSet<>(before));
  }

  /** Behind these. To stand in front of some alone: {@code Order.ANY.before("state")}. */
  public static Order after(String... names) {
    return new Order(new TreeSet<>(List.of(names)), Collections.emptySortedSet());
  }

  /** Also in front of these, and of those named before. */
  public Order before(String... names) {
    TreeSet<String> all = new TreeSet<>(before);
    all.addAll(List.of(names));
    return new Order(after, all);
  }
}
