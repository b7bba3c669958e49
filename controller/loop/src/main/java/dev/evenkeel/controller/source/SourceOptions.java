package dev.evenkeel.controller.source;

import dev.evenkeel.controller.core.LoopConfig;
import java.time.Duration;

/**
 * The numbers of a datastore source.
 *
 * @param name of the source; external configuration is pushed as that of source {@code db}
 * @param probeInterval pause between two probes
 * @param localDelay how long to wait for the remote store before the mirror is taken
 * @param callLimit how long to wait for any call on a store; a probe has the interval at most
 * @param changeBuffer most keys whose change waits; one more, and a resync is pushed instead
 * @param inFlight most events that were pushed and are not answered
 * @param pushLimit how long changes may wait for room in the loop; then a resync is pushed instead
 * @param retryFirst first pause after a failure
 * @param retryCap longest pause
 * @param mirrored whether there is a mirror
 */
record SourceOptions(
    String name,
    Duration probeInterval,
    Duration localDelay,
    Duration callLimit,
    int changeBuffer,
    int inFlight,
    Duration pushLimit,
    Duration retryFirst,
    Duration retryCap,
    boolean mirrored) {
  static SourceOptions of(String name, LoopConfig config, boolean mirrored) {
    return new SourceOptions(
        name,
        config.probeInterval(),
        config.localResyncDelay(),
        Duration.ofSeconds(30),
        1000,
        100,
        Duration.ofSeconds(10),
        Duration.ofSeconds(1),
        Duration.ofSeconds(30),
        mirrored);
  }

  Duration probeLimit() {
    return probeInterval.compareTo(callLimit) < 0 ? probeInterval : callLimit;
  }
}
