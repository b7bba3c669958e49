package dev.evenkeel.scenarios.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One life of a process, as far as the outside sees it: every effect passes two points, before and
 * after it is done. At a point the process can die, and then nothing more of it has an effect; or
 * the effect can fail, once.
 */
final class Life {
  private final int dieAt;
  private final List<String> points = new ArrayList<>();
  private final Deque<String> failures = new ArrayDeque<>();
  private ErrorKind kind = ErrorKind.UNAVAILABLE;
  private boolean dead;

  private Life(int dieAt) {
    this.dieAt = dieAt;
  }

  /** One that ends by itself. */
  static Life whole() {
    return new Life(Integer.MAX_VALUE);
  }

  /** One that dies at a point, counted from 0. */
  static Life untilPoint(int index) {
    return new Life(index);
  }

  /** Effects or probes that fail, once each, in this order. */
  synchronized Life failing(String... inOrder) {
    failures.addAll(List.of(inOrder));
    return this;
  }

  /** The next time that it comes to that point, the effect fails like this. */
  synchronized Life failing(String point, ErrorKind as) {
    kind = as;
    return failing(point);
  }

  /** The points that it has passed. */
  synchronized List<String> points() {
    return List.copyOf(points);
  }

  synchronized boolean isDead() {
    return dead;
  }

  /** A read, or anything else that leaves no trace. */
  synchronized void look() {
    if (dead) {
      throw new EvenkeelException(ErrorKind.UNAVAILABLE, "this process is dead");
    }
  }

  synchronized void point(String name) {
    look();
    if (points.size() == dieAt) {
      dead = true;
      look();
    }
    points.add(name);
    failIfTold(name);
  }

  /** A read that can be told to fail. */
  synchronized void look(String name) {
    look();
    failIfTold(name);
  }

  private void failIfTold(String name) {
    if (name.equals(failures.peek())) {
      failures.remove();
      throw new EvenkeelException(kind, "made to fail " + name);
    }
  }

  /** {@code create-image:csi-vol-…} without what differs from run to run. */
  static String verb(String step) {
    int colon = step.indexOf(':');
    return colon < 0 ? step : step.substring(0, colon);
  }
}
