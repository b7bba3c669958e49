package dev.evenkeel.api.loop;

/** The loop thread was about to wait for something that only the loop thread can bring about. */
public final class LoopThreadBlockedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Says what was waited for, and what to do instead. */
  public LoopThreadBlockedException(String what) {
    super(
        "the loop thread must not wait for "
            + what
            + ": use a follow-up, a step or a stage instead");
  }
}
