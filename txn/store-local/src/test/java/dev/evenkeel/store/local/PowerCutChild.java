package dev.evenkeel.store.local;

import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A process that commits batches of two keys, prints each that is acknowledged, closes the store
 * half-way and opens it again, and ends without closing it. Its system calls are traced.
 */
final class PowerCutChild {
  private static final int IN_FLIGHT = 4;

  private PowerCutChild() {}

  /** Arguments: the store, how many batches, and how long values are. */
  public static void main(String[] arguments) {
    Path folder = Path.of(arguments[0]);
    int batches = Integer.parseInt(arguments[1]);
    String filler = "x".repeat(Integer.parseInt(arguments[2]));
    try (LocalDatastore store = LocalDatastore.open(folder, new JacksonCodecs())) {
      commit(store, 0, batches / 2, filler);
    }
    LocalDatastore again = LocalDatastore.open(folder, new JacksonCodecs());
    commit(again, batches / 2, batches, filler);
    Runtime.getRuntime().halt(0);
  }

  private static void commit(LocalDatastore store, int from, int to, String filler) {
    ArrayDeque<CompletableFuture<Revision>> waiting = new ArrayDeque<>();
    int acknowledged = from;
    for (int number = from; number < to; number++) {
      NameRecord value = new NameRecord("u" + number + filler);
      waiting.add(
          store
              .commit(
                  List.of(),
                  List.of(
                      new Write.Put<>(Child.left(number), value),
                      new Write.Put<>(Child.right(number), value)),
                  Call.usual())
              .toCompletableFuture());
      if (waiting.size() == IN_FLIGHT) {
        acknowledged = say(waiting, acknowledged);
      }
    }
    while (!waiting.isEmpty()) {
      acknowledged = say(waiting, acknowledged);
    }
  }

  @SuppressWarnings("SystemOut") // the trace has it
  private static int say(ArrayDeque<CompletableFuture<Revision>> waiting, int acknowledged) {
    Objects.requireNonNull(waiting.remove().join());
    System.out.println("ack " + acknowledged);
    return acknowledged + 1;
  }
}
