package dev.evenkeel.controller.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that one thread writes and any other reads: an addition costs what a plain one does, and
 * a reader sees it soon.
 */
public final class Count {
  private static final VarHandle VALUE;

  static {
    try {
      VALUE = MethodHandles.lookup().findVarHandle(Count.class, "value", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private long value;

  /** Zero. */
  public Count() {}

  /** Adds; the one writing thread. */
  public void add(long more) {
    VALUE.setOpaque(this, value + more);
  }

  /** Takes the greater of the two; the one writing thread. */
  public void raise(long to) {
    if (to > value) {
      VALUE.setOpaque(this, to);
    }
  }

  /** Sets it; the one writing thread. */
  public void set(long to) {
    VALUE.setOpaque(this, to);
  }

  /** The number; any thread. */
  public long get() {
    return (long) VALUE.getOpaque(this);
  }
}
