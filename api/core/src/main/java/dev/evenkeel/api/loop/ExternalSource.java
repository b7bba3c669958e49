package dev.evenkeel.api.loop;

import dev.evenkeel.api.event.InputState;

/**
 * A source of external configuration that is merged over what the handlers put. Implemented by
 * users. It stores its data itself before it pushes a change, and is asked for its snapshot at each
 * full resync.
 */
public interface ExternalSource {
  /** Unique among the sources of a loop. */
  String name();

  /** Higher wins when several sources have a key. */
  int priority();

  /**
   * All that it has; called on a worker, may block. When it throws, what it gave before is kept,
   * and the failure is reported.
   */
  InputState snapshot() throws Exception;
}
