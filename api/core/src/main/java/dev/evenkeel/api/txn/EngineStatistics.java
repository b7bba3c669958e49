package dev.evenkeel.api.txn;

import dev.evenkeel.api.Experimental;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an engine has done since it was made, in numbers. Immutable; dry runs are not counted.
 *
 * @param transactions how many ended so
 * @param failures failures of all transactions
 * @param operations how many of each were done or tried
 * @param noops how many of them called nothing
 * @param states in how many each left its value
 * @param calls of descriptors and steps, by name and sort; only those that were made
 */
@Experimental("new")
public record EngineStatistics(
    SortedMap<TransactionOutcome, Long> transactions,
    long failures,
    SortedMap<ValueOperation, Long> operations,
    long noops,
    SortedMap<ValueState, Long> states,
    List<Calls> calls) {
  /** Copies. */
  public EngineStatistics {
    transactions = Collections.unmodifiableSortedMap(new TreeMap<>(transactions));
    operations = Collections.unmodifiableSortedMap(new TreeMap<>(operations));
    states = Collections.unmodifiableSortedMap(new TreeMap<>(states));
    calls = List.copyOf(calls);
  }

  /**
   * Calls of one sort.
   *
   * @param name of the descriptor, or {@code steps}
   * @param sort {@code create}, {@code update}, {@code delete}, {@code retrieve}, {@code probe},
   *     {@code apply}, {@code undo}
   * @param returned how many returned
   * @param failed how many threw
   * @param timedOut how many did not return within their limit
   * @param least shortest time of those that returned or threw
   * @param mean of them
   * @param most longest time of them
   */
  public record Calls(
      String name,
      String sort,
      long returned,
      long failed,
      long timedOut,
      Duration least,
      Duration mean,
      Duration most) {}

  /** All transactions. */
  public long total() {
    return transactions.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The calls of one sort, if any was made. */
  public Optional<Calls> calls(String name, String sort) {
    return calls.stream()
        .filter(one -> one.name().equals(name) && one.sort().equals(sort))
        .findFirst();
  }
}
