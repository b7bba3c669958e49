package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import java.util.List;
import java.util.Optional;

/**
 * What became of one value in one transaction. Immutable; made by {@link TransactionResult#keys()}.
 *
 * @param key path of the value
 * @param base path of the base value that it derives from, or {@code key} itself
 * @param owner handler that wanted it, or the part of the framework
 * @param operation the last thing that was done to it; {@link ValueOperation#UNDEFINED} when
 *     nothing was, because it was refused or could not be looked at
 * @param state after that; absent when nothing was done
 * @param failures everything that went wrong with it, the first one first; also what has been
 *     mended since by a revert
 */
@Experimental("new")
public record KeyResult(
    String key,
    String base,
    String owner,
    ValueOperation operation,
    Optional<ValueState> state,
    List<Failure> failures) {
  /** Copies the list. */
  public KeyResult {
    failures = List.copyOf(failures);
  }

  /** Whether nothing went wrong with it. */
  public boolean clean() {
    return failures.isEmpty();
  }
}
