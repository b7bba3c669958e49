package dev.evenkeel.bench.store;

import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Turns;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.store.etcd.EtcdDatastore;
import dev.evenkeel.store.etcd.EtcdSettings;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Values of 200 bytes written, read, and compared and set, in the etcd store and with bare jetcd.
 * The contestant is how many calls are under way at a time; nanoseconds per call.
 */
public final class EtcdMeasure implements Fork.Measure {
  /** The endpoint, as a system property. */
  static final String ENDPOINT = "bench.etcd";

  private static final String TEXT = "x".repeat(200);
  private static final int KEYS = 64;

  @Override
  public Map<String, Double> measure(String contestant, Plan plan) throws Exception {
    int most = Integer.parseInt(contestant);
    int calls = most == 1 ? 32 : 640;
    String endpoint = System.getProperty(ENDPOINT);
    try (EtcdDatastore store =
            EtcdDatastore.open(EtcdSettings.of(endpoint).root("/store"), new JacksonCodecs());
        Client client = Client.builder().endpoints(endpoint).build()) {
      Chains chains = new Chains(store, client.getKVClient());
      KV bare = client.getKVClient();
      return new Turns()
          .add(
              "write, store",
              Flight.of(
                  calls, most, i -> store.apply(KeyValue.of(new Stored(i), TEXT), Call.usual())))
          .add("write, bare", Flight.of(calls, most, i -> bare.put(key(i), bytes(TEXT))))
          .add(
              "read, store",
              Flight.of(calls, most, i -> store.get(new Stored(i), Revision.NONE, Call.usual())))
          .add("read, bare", Flight.of(calls, most, i -> bare.get(key(i))))
          .add("compare and set, store", Flight.of(calls, most, chains::store))
          .add("compare and set, bare", Flight.of(calls, most, chains::bare))
          .run(plan, calls, 3);
    }
  }

  private static ByteSequence key(int number) {
    return bytes("/bare/stored/" + number % KEYS);
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  /** Each key is changed by one call after the other, from what the last one has left. */
  private static final class Chains {
    private final EtcdDatastore store;
    private final KV bare;
    private final CompletionStage<KeyValue<String>>[] pairs;
    private final CompletionStage<Long>[] revisions;

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic things
    Chains(EtcdDatastore store, KV bare) {
      this.store = store;
      this.bare = bare;
      pairs = new CompletionStage[KEYS];
      revisions = new CompletionStage[KEYS];
      for (int i = 0; i < KEYS; i++) {
        pairs[i] = store.apply(KeyValue.of(new Stored(1_000_000 + i), TEXT), Call.usual());
        revisions[i] =
            bare.put(chained(i), bytes(TEXT)).thenApply(put -> put.getHeader().getRevision());
      }
    }

    private static ByteSequence chained(int at) {
      return bytes("/bare/chained/" + at);
    }

    CompletionStage<?> store(int number) {
      int at = number % KEYS;
      pairs[at] = pairs[at].thenCompose(pair -> store.update(pair, Call.usual()));
      return pairs[at];
    }

    CompletionStage<?> bare(int number) {
      int at = number % KEYS;
      revisions[at] =
          revisions[at].thenCompose(
              revision ->
                  bare.txn()
                      .If(new Cmp(chained(at), Cmp.Op.EQUAL, CmpTarget.modRevision(revision)))
                      .Then(Op.put(chained(at), bytes(TEXT), PutOption.DEFAULT))
                      .commit()
                      .thenApply(
                          done -> {
                            if (!done.isSucceeded()) {
                              throw new IllegalStateException("somebody else has changed it");
                            }
                            return done.getHeader().getRevision();
                          }));
      return revisions[at];
    }
  }
}
