package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.api.txn.OperationFlag;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts what the engine does. One thread counts, without locks and without making anything; any
 * thread reads, and may see a transaction half counted.
 */
final class Statistics {
  private final Map<TransactionOutcome, Integer> outcomeSlots = slots(TransactionOutcome.values());
  private final Map<ValueOperation, Integer> operationSlots = slots(ValueOperation.values());
  private final Map<ValueState, Integer> stateSlots = slots(ValueState.values());
  private final AtomicLongArray outcomes = new AtomicLongArray(outcomeSlots.size());
  private final AtomicLongArray operations = new AtomicLongArray(operationSlots.size());
  private final AtomicLongArray states = new AtomicLongArray(stateSlots.size());
  private final AtomicLongArray others = new AtomicLongArray(2);
  private final Map<String, Map<Action.Kind, CallCounts>> calls = new ConcurrentHashMap<>();

  private static <E extends Enum<E>> Map<E, Integer> slots(E[] values) {
    EnumMap<E, Integer> slots = new EnumMap<>(values[0].getDeclaringClass());
    for (E value : values) {
      slots.put(value, slots.size());
    }
    return slots;
  }

  static void add(AtomicLongArray counters, int slot, long more) {
    counters.setOpaque(slot, counters.getPlain(slot) + more);
  }

  /** A call has ended, or is not waited for any more. */
  void called(Action action, ActionOutcome outcome) {
    if (action instanceof Call call) {
      Map<Action.Kind, CallCounts> mine = calls.get(call.by());
      if (mine == null) {
        mine = new ConcurrentHashMap<>();
        calls.put(call.by(), mine);
      }
      CallCounts counts = mine.get(call.kind());
      if (counts == null) {
        counts = new CallCounts();
        mine.put(call.kind(), counts);
      }
      counts.add(outcome);
    }
  }

  void ended(TransactionResult result) {
    add(outcomes, outcomeSlots.getOrDefault(result.outcome(), 0), 1);
    add(others, 0, result.failures().size());
    List<OperationRecord> done = result.operations();
    for (int i = 0; i < done.size(); i++) {
      OperationRecord operation = done.get(i);
      add(operations, operationSlots.getOrDefault(operation.operation(), 0), 1);
      add(states, stateSlots.getOrDefault(operation.after(), 0), 1);
      if (operation.flags().contains(OperationFlag.NOOP)) {
        add(others, 1, 1);
      }
    }
  }

  EngineStatistics read() {
    List<EngineStatistics.Calls> made = new ArrayList<>();
    new TreeMap<>(calls)
        .forEach(
            (name, kinds) ->
                new TreeMap<>(kinds).forEach((kind, counts) -> made.add(counts.read(name, kind))));
    return new EngineStatistics(
        read(outcomeSlots, outcomes),
        others.getOpaque(0),
        read(operationSlots, operations),
        others.getOpaque(1),
        read(stateSlots, states),
        made);
  }

  private static <E extends Enum<E>> SortedMap<E, Long> read(
      Map<E, Integer> slots, AtomicLongArray counters) {
    SortedMap<E, Long> read = new TreeMap<>();
    slots.forEach(
        (value, slot) -> {
          long count = counters.getOpaque(slot);
          if (count > 0) {
            read.put(value, count);
          }
        });
    return read;
  }
}
