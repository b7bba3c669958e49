package dev.evenkeel.store.rados;

import dev.evenkeel.api.datastore.DatastoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Reads an object's OMAP in pages and gives each record whole: one that a page has cut is read
 * again with the next. So each record is as it was at one moment, and all of them are only if the
 * object had one version all the time.
 *
 * @param records the OMAP keys of each record, by its prefix
 * @param version of the object, or {@link #MIXED}
 */
record Scan(SortedMap<String, Map<String, byte[]>> records, long version) {
  /** The object was changed between two pages. */
  static final long MIXED = -1;

  /**
   * @param page how many keys are read at once
   */
  static CompletableFuture<Scan> of(
      Cluster cluster, Home home, String prefix, int page, Limit limit) {
    Scan scan = new Scan(new TreeMap<>(), 0);
    return scan.next(cluster, home, prefix, page, limit, new byte[0], true);
  }

  private CompletableFuture<Scan> next(
      Cluster cluster,
      Home home,
      String prefix,
      int page,
      Limit limit,
      byte[] after,
      boolean isFirst) {
    limit.check();
    return cluster
        .read(home, new ReadOp().page(after, prefix, page))
        .thenCompose(
            reply -> {
              if (reply.code() == Code.ABSENT) {
                return CompletableFuture.completedFuture(isFirst ? this : new Scan(records, MIXED));
              }
              if (reply.code() < 0) {
                throw Code.failure(home.object(), reply.code());
              }
              ReadOp.Part part = reply.parts().get(0);
              byte[] last = take(home, part);
              long now = isFirst || version == reply.version() ? reply.version() : MIXED;
              Scan more = new Scan(records, now);
              return part.more()
                  ? more.next(cluster, home, prefix, page, limit, last, false)
                  : CompletableFuture.completedFuture(more);
            });
  }

  /** Takes the page's whole records, and gives the key after which the next page begins. */
  private byte[] take(Home home, ReadOp.Part part) {
    List<ReadOp.Found> entries = part.entries();
    int end = entries.size();
    if (part.more() && end > 0) {
      String cut = record(entries.get(end - 1).name());
      while (end > 0 && record(entries.get(end - 1).name()).equals(cut)) {
        end--;
      }
    }
    if (part.more() && end == 0) {
      throw DatastoreException.failed(
          home.object(), home.object() + " holds a record of more keys than a page", null);
    }
    for (ReadOp.Found found : new ArrayList<>(entries.subList(0, end))) {
      records
          .computeIfAbsent(record(found.name()), prefix -> new TreeMap<>())
          .put(found.name(), found.value());
    }
    return end == 0 ? new byte[0] : keyWithoutZero(home, entries.get(end - 1).key());
  }

  /**
   * A key is handed on as a text that ends with a zero; one with a zero inside would be another.
   */
  private static byte[] keyWithoutZero(Home home, byte[] key) {
    for (byte b : key) {
      if (b == 0) {
        throw DatastoreException.failed(
            home.object(), home.object() + " holds a key that cannot be read past", null);
      }
    }
    return Arrays.copyOf(key, key.length);
  }

  private static String record(String key) {
    int tab = key.indexOf(Spot.TAB);
    return tab < 0 ? key : key.substring(0, tab);
  }
}
