package dev.evenkeel.api.txn;

import dev.evenkeel.api.Key;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A descriptor's ability to read what is really there. Implemented by users. */
@FunctionalInterface
public interface Retriever<V, M> {
  /**
   * What is really there.
   *
   * @param known what the engine knows, to match with: ordered by path
   * @param only when given, only these keys are asked for, and answering just those is enough
   */
  List<Found<V, M>> retrieve(
      List<Known<V, M>> known, @Nullable List<Key<V>> only, StepContext context) throws Exception;

  /**
   * A value that the engine knows.
   *
   * @param metadata what it had when it was last applied; absent when it was not
   */
  record Known<V, M>(Key<V> key, V value, Optional<M> metadata) {}

  /**
   * A value that is really there.
   *
   * @param origin who made it, or {@link Origin#UNKNOWN}
   */
  record Found<V, M>(Key<V> key, V value, M metadata, Origin origin) {}
}
