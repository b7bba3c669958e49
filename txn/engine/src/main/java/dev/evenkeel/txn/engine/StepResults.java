package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Results;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What steps have returned; written by the loop between calls, read by the worker inside one. */
final class StepResults implements Results {
  private volatile Map<String, Object> byName = Map.of();

  void put(String step, Object value) {
    if (byName.isEmpty()) {
      byName = new ConcurrentHashMap<>();
    }
    byName.put(step, value);
  }

  void remove(String step) {
    if (!byName.isEmpty()) {
      byName.remove(step);
    }
  }

  @Override
  public <T> T get(Ref<T> ref) {
    Object value = byName.get(ref.name());
    if (value == null) {
      throw new IllegalStateException("step " + ref.name() + " has not run in this transaction");
    }
    return ref.type().cast(value);
  }
}
