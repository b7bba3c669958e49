package dev.evenkeel.txn.engine;

import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.ActionOutcome;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is still to be done, last in first out. A task puts what follows from it in front of
 * everything that waits, so that the depth-first walk over dependents and derived values is written
 * as a recursion and can still be stopped at each call on the outside. A task that makes a call
 * does nothing after it; what it does next stands in the continuation.
 */
final class Agenda {
  private static final int FEW = 6;

  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>(FEW);
  private final Consumer<Throwable> broken;
  private final BiConsumer<Action, ActionOutcome> called;
  private @Nullable Action calling;
  private @Nullable Consumer<ActionOutcome> then;

  /**
   * An empty one.
   *
   * @param broken is told what a task throws that asked users' code outside of all guards; the
   *     tasks behind it are run all the same
   * @param called is told of every call that has ended
   */
  Agenda(Consumer<Throwable> broken, BiConsumer<Action, ActionOutcome> called) {
    this.broken = broken;
    this.called = called;
  }

  /** Puts one task in front. */
  void next(Runnable task) {
    tasks.push(task);
  }

  /** Puts two tasks in front. */
  void next(Runnable first, Runnable second) {
    tasks.push(second);
    tasks.push(first);
  }

  /** Puts tasks in front, to be run in the order given. */
  void next(Runnable... inOrder) {
    for (int i = inOrder.length - 1; i >= 0; i--) {
      tasks.push(inOrder[i]);
    }
  }

  /**
   * Puts the same task for each item in front, in the order given: one after another is taken only
   * when all that followed from the one before has been done.
   */
  <T> void each(Iterable<T> items, Consumer<? super T> task) {
    each(items.iterator(), task);
  }

  private <T> void each(Iterator<T> items, Consumer<? super T> task) {
    if (items.hasNext()) {
      tasks.push(new Each<>(this, items, task));
    }
  }

  private record Each<T>(Agenda agenda, Iterator<T> items, Consumer<? super T> task)
      implements Runnable {
    @Override
    public void run() {
      T item = items.next();
      if (items.hasNext()) {
        agenda.tasks.push(this);
      }
      task.accept(item);
    }
  }

  /** Stops at a call; the continuation takes its outcome. */
  void call(Action action, Consumer<ActionOutcome> continuation) {
    if (calling != null) {
      throw new IllegalStateException("one call at a time: " + calling.target());
    }
    calling = action;
    then = continuation;
  }

  /** Forgets everything that waits. */
  void clear() {
    tasks.clear();
  }

  /** Gives the outcome of the call to its continuation. */
  void resume(ActionOutcome outcome) {
    Consumer<ActionOutcome> continuation = then;
    if (continuation == null) {
      throw new IllegalStateException("no call is being made");
    }
    Action ended = calling;
    calling = null;
    then = null;
    if (ended != null) {
      called.accept(ended, outcome);
    }
    try {
      continuation.accept(outcome);
    } catch (VirtualMachineError fatal) {
      throw fatal;
    } catch (RuntimeException | Error thrown) {
      broken.accept(thrown);
    }
  }

  /** Works until a call is to be made, and gives it; or nothing when all is done. */
  @Nullable Action work() {
    while (calling == null) {
      Runnable task = tasks.poll();
      if (task == null) {
        return null;
      }
      try {
        task.run();
      } catch (VirtualMachineError fatal) {
        throw fatal;
      } catch (RuntimeException | Error thrown) {
        broken.accept(thrown);
      }
    }
    return calling;
  }
}
