package dev.evenkeel.api.handler;

import dev.evenkeel.api.event.UpdateEvent;

/**
 * An ability of a handler: reads what it needs for planning an operation. Implemented by handlers,
 * beside {@link EventHandler}.
 */
@FunctionalInterface
public interface OperationLoader {
  /**
   * Runs after ADMIT and before PLAN, on a worker, in handler order, for each operation event that
   * the handler handles. May block; must not touch the handler's state. An exception refuses the
   * event, and nothing has been done.
   */
  void load(UpdateEvent event, Reader reader) throws Exception;
}
