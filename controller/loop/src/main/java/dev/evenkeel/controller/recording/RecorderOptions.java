package dev.evenkeel.controller.recording;

import dev.evenkeel.api.Experimental;
import java.time.Duration;

/**
 * How a recording in a folder is written. Immutable; made by whoever sets a controller up.
 *
 * @param durability what is on the disk when an effect begins
 * @param whenSlow what happens when the disk does not follow
 * @param segmentBytes a new segment begins after about that many bytes
 * @param segmentTurns or after that many turns
 * @param segmentAge or after that long, by the loop's clock
 * @param queue most lines that wait for the disk
 * @param mostBytes most bytes of the whole recording before compression; then it ends with a marker
 */
@Experimental
public record RecorderOptions(
    Durability durability,
    WhenSlow whenSlow,
    long segmentBytes,
    long segmentTurns,
    Duration segmentAge,
    int queue,
    long mostBytes) {

  /** What survives what. */
  public enum Durability {
    /** What the system has written when it goes down. */
    NONE,
    /** Forced to disk soon, many lines at once. */
    ASYNC,
    /** Forced to disk before the first effect or answer that follows from it (JT-10). */
    SYNC
  }

  /** What happens when as many lines wait as may. */
  public enum WhenSlow {
    /** The loop waits. */
    BLOCK,
    /** Lines are left out, and a marker says how many; it is replayed up to there. */
    DROP,
    /** The loop aborts: nothing is to happen that is not recorded. */
    STOP
  }

  /** Refuses limits that are not positive. */
  public RecorderOptions {
    if (segmentBytes < 1
        || segmentTurns < 1
        || queue < 1
        || mostBytes < 1
        || segmentAge.isNegative()
        || segmentAge.isZero()) {
      throw new IllegalArgumentException("limits of a recording are positive");
    }
  }

  /** Forced soon, the loop waits; segments of 64 MiB, a million turns or a day; 64 GiB in all. */
  public static RecorderOptions usual() {
    return new RecorderOptions(
        Durability.ASYNC,
        WhenSlow.BLOCK,
        64L << 20,
        1_000_000,
        Duration.ofDays(1),
        8192,
        64L << 30);
  }

  /** The same with another durability. */
  public RecorderOptions with(Durability other) {
    return new RecorderOptions(
        other, whenSlow, segmentBytes, segmentTurns, segmentAge, queue, mostBytes);
  }

  /** The same with another way when it is slow, and that many lines that may wait. */
  public RecorderOptions with(WhenSlow other, int lines) {
    return new RecorderOptions(
        durability, other, segmentBytes, segmentTurns, segmentAge, lines, mostBytes);
  }

  /** The same with other segments. */
  public RecorderOptions segments(long bytes, long turns, Duration age) {
    return new RecorderOptions(durability, whenSlow, bytes, turns, age, queue, mostBytes);
  }

  /** The same with another limit on the whole. */
  public RecorderOptions most(long bytes) {
    return new RecorderOptions(
        durability, whenSlow, segmentBytes, segmentTurns, segmentAge, queue, bytes);
  }
}
