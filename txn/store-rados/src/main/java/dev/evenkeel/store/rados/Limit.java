package dev.evenkeel.store.rados;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Call;
import java.time.Duration;

/** How long a call may still go on. Any thread. */
final class Limit {
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private final Call call;
  private final Duration whole;
  private final long end;

  Limit(Call call) {
    this.call = call;
    Duration wanted = call.limit().orElse(LONGEST);
    this.whole = wanted.compareTo(LONGEST) < 0 ? wanted : LONGEST;
    this.end = System.nanoTime() + whole.toNanos();
  }

  Call call() {
    return call;
  }

  /** Throws when the call is to go on no more. */
  void check() {
    if (call.isCancelled()) {
      throw new EvenkeelException(ErrorKind.CANCELLED, "the call was called off");
    }
    if (System.nanoTime() - end >= 0) {
      throw late(whole);
    }
  }

  private static EvenkeelException late(Duration limit) {
    return new EvenkeelException(
        ErrorKind.DEADLINE_EXCEEDED, "the RADOS store has not answered within " + limit);
  }
}
