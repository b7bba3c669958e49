package dev.evenkeel.txn.history;

import dev.evenkeel.api.Experimental;
import java.time.Duration;
import java.util.function.ToLongFunction;

/**
 * What a transaction history keeps. Chosen by whoever makes the engine. Bounds hold together: the
 * first one that is exceeded drops the oldest.
 *
 * @param recording whether anything is kept at all
 * @param records how many records, from 1
 * @param bytes about how much they take, graphs included
 * @param age how old they get
 * @param initPeriod records that began within this time of the first one are kept beyond the other
 *     bounds, without their graphs; zero for none
 * @param initRecords how many of those
 * @param initBytes about how much those take
 * @param entries how many values, and how many operations, one record holds
 * @param revisions how many of a key's revisions a timeline tells
 * @param weigher estimates the bytes of a value; quick, on the engine's thread
 */
@Experimental("new")
public record HistoryOptions(
    boolean recording,
    int records,
    long bytes,
    Duration age,
    Duration initPeriod,
    int initRecords,
    long initBytes,
    int entries,
    int revisions,
    ToLongFunction<Object> weigher) {
  /** Refuses bounds that bound nothing. */
  public HistoryOptions {
    if (records < 1 || records > 1 << 20 || initRecords < 0 || initRecords > 1 << 20) {
      throw new IllegalArgumentException("a history has 1 to 1,048,576 records");
    }
    if (bytes < 1 || initBytes < 0 || entries < 1 || revisions < 1) {
      throw new IllegalArgumentException("bounds are positive");
    }
    if (age.isNegative() || initPeriod.isNegative()) {
      throw new IllegalArgumentException("periods are not negative");
    }
  }

  /** Ten thousand records, 64 MiB, a day; of the first hour, a thousand records and 8 MiB. */
  public static HistoryOptions standard() {
    return new HistoryOptions(
        true,
        10_000,
        64L << 20,
        Duration.ofDays(1),
        Duration.ofHours(1),
        1_000,
        8L << 20,
        10_000,
        100,
        HistoryOptions::weigh);
  }

  /** Nothing is recorded, and nothing is paid for it. */
  public static HistoryOptions off() {
    HistoryOptions some = standard();
    return new HistoryOptions(
        false,
        some.records,
        some.bytes,
        some.age,
        some.initPeriod,
        some.initRecords,
        some.initBytes,
        some.entries,
        some.revisions,
        some.weigher);
  }

  /** The same with other main bounds. */
  public HistoryOptions bounded(int maxRecords, long maxBytes, Duration maxAge) {
    return new HistoryOptions(
        recording,
        maxRecords,
        maxBytes,
        maxAge,
        initPeriod,
        initRecords,
        initBytes,
        entries,
        revisions,
        weigher);
  }

  /** The same with another initial period. */
  public HistoryOptions initially(Duration period, int maxRecords, long maxBytes) {
    return new HistoryOptions(
        recording, records, bytes, age, period, maxRecords, maxBytes, entries, revisions, weigher);
  }

  /** Texts and bytes by their length, anything else by a flat rate. */
  private static long weigh(Object value) {
    if (value instanceof CharSequence text) {
      return 56L + text.length();
    }
    return value instanceof byte[] bytes ? 16L + bytes.length : 64L;
  }
}
