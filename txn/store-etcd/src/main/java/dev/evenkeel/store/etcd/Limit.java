package dev.evenkeel.store.etcd;

import dev.evenkeel.api.datastore.Call;
import java.time.Duration;

/**
 * What a call is about and how long it may still take: one limit for all the requests that it
 * needs.
 *
 * @param about path or list root, for errors
 * @param call what the caller gave
 * @param endNanos by {@link System#nanoTime()}
 */
record Limit(String about, Call call, long endNanos) {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  static Limit of(String about, Call call) {
    long nanos = call.limit().orElse(LONGEST).toNanos();
    return new Limit(about, call, System.nanoTime() + nanos);
  }

  long leftNanos() {
    return endNanos - System.nanoTime();
  }
}
