package dev.evenkeel.txn.engine;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.api.txn.ValueStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whoever watches statuses. What a watcher has not been told yet is replaced by what is newer, so
 * that a slow one holds at most one status per key (TW-21). Used by drivers of the engine: changes
 * are told by the thread that runs transactions, watchers come and go on any.
 */
public final class ValueWatchers {
  private static final Logger LOG = LoggerFactory.getLogger(ValueWatchers.class);

  private final List<Watcher> all = new CopyOnWriteArrayList<>();
  private final Executor executor;

  /** Tells on that executor, one thing after another. */
  public ValueWatchers(Executor executor) {
    this.executor = executor;
  }

  /**
   * Adds one.
   *
   * @param paths of base values; quick, on the thread that runs transactions
   * @param told on the executor; what it throws is logged
   * @return ends it
   */
  public AutoCloseable add(Predicate<String> paths, Consumer<ValueStatus> told) {
    Watcher watcher = new Watcher(paths, told);
    all.add(watcher);
    return () -> {
      watcher.closed = true;
      all.remove(watcher);
    };
  }

  /** Whether nobody watches. */
  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** A transaction has ended: tells of the base values whose status it has changed. */
  public void changed(TransactionResult result, ValueReader before, ValueReader after) {
    if (all.isEmpty()) {
      return;
    }
    TreeSet<String> bases = new TreeSet<>();
    result.operations().stream().map(OperationRecord::base).forEach(bases::add);
    result.failures().stream().map(Failure::base).flatMap(Optional::stream).forEach(bases::add);
    for (String base : bases) {
      ValueStatus now = status(after, base);
      if (!now.equals(status(before, base))) {
        all.forEach(watcher -> watcher.offer(now));
      }
    }
  }

  private static ValueStatus status(ValueReader values, String path) {
    return values.statuses(path).stream()
        .filter(status -> status.key().equals(path))
        .findFirst()
        .orElseGet(
            () ->
                new ValueStatus(
                    path,
                    ValueState.NONEXISTENT,
                    ValueOperation.UNDEFINED,
                    Optional.empty(),
                    List.of(),
                    List.of()));
  }

  /** One of them. */
  private final class Watcher {
    private final Predicate<String> paths;
    private final Consumer<ValueStatus> told;
    private final Map<String, ValueStatus> pending = new LinkedHashMap<>();
    private boolean scheduled;
    volatile boolean closed;

    Watcher(Predicate<String> paths, Consumer<ValueStatus> told) {
      this.paths = paths;
      this.told = told;
    }

    void offer(ValueStatus status) {
      try {
        if (!closed && paths.test(status.key()) && add(status)) {
          executor.execute(this::tellAll);
        }
      } catch (RuntimeException thrown) {
        LOG.warn("A watcher cannot tell whether it wants {}", status.key(), thrown);
      }
    }

    private synchronized boolean add(ValueStatus status) {
      pending.put(status.key(), status);
      boolean was = scheduled;
      scheduled = true;
      return !was;
    }

    private synchronized @Nullable ValueStatus take() {
      var first = pending.values().iterator();
      if (!first.hasNext()) {
        scheduled = false;
        return null;
      }
      ValueStatus status = first.next();
      first.remove();
      return status;
    }

    private void tellAll() {
      ValueStatus status = take();
      while (status != null) {
        try {
          if (!closed) {
            told.accept(status);
          }
        } catch (RuntimeException thrown) {
          LOG.warn("A watcher fails for {}", status.key(), thrown);
        }
        status = take();
      }
    }
  }
}
