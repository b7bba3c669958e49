package dev.evenkeel.store.rados;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A change of records of one object that has been decided on, and what is answered when it is made.
 *
 * @param fill puts comparisons and changes into the operation
 * @param makes whether the object is made if it is not there
 * @param happened whether it has, as told by what is there now; asked when the answer was lost
 * @param paths that it changes
 */
record Change<T>(
    Consumer<WriteOp> fill, boolean makes, T result, Predicate<Seen> happened, List<String> paths) {

  /** Nothing to change. */
  static <T> Change<T> none(T result) {
    return new Change<>(op -> {}, false, result, seen -> true, List.of());
  }

  boolean isNone() {
    return paths.isEmpty();
  }
}
