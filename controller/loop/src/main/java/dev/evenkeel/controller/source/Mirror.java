package dev.evenkeel.controller.source;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Fields;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A copy of what a source knows, in a datastore near by, below a prefix of its own (DW-3). Each
 * write is one batch, guarded by a state record that it writes too: how many values there are, and
 * the newest remote revision. So a reader sees all of a write or none, and a second writer is
 * noticed. One call at a time.
 */
final class Mirror {
  private static final KeyType<Fields> STATE =
      KeyType.named("mirror-state", "/mirror-state/", Fields.class, State::new);

  /** Where the state is. */
  private record State(String name) implements Key<Fields> {
    @Override
    public String path() {
      return KeyPaths.join("/mirror-state/", name);
    }

    @Override
    public KeyType<Fields> type() {
      return STATE;
    }
  }

  private final Datastore store;
  private final State state;
  private final String prefix;
  private final Collection<KeyType<?>> kinds;
  private final Duration limit;

  Mirror(Datastore store, String name, Collection<KeyType<?>> kinds, Duration limit) {
    this.store = store;
    this.state = new State(name);
    this.prefix = "/mirror/" + KeyPaths.escape(name);
    this.kinds = List.copyOf(kinds);
    this.limit = limit;
  }

  /** What is there, by the paths of the remote store, and under which state. */
  private record Content(Map<String, Pair> pairs, @Nullable KeyValue<Fields> state) {}

  /** All of it; nothing when it was never written; fails when it is damaged. */
  CompletionStage<List<Pair>> read() {
    return content()
        .thenApply(
            found -> {
              if (found.state() == null) {
                return List.of();
              }
              String values = field(found.state(), "values");
              if (!values.equals(Integer.toString(found.pairs().size()))) {
                throw new DatastoreException(
                    ErrorKind.INTERNAL,
                    prefix,
                    "the mirror has "
                        + found.pairs().size()
                        + " readable values of "
                        + values
                        + ": it is not used until it is written anew",
                    null);
              }
              return List.copyOf(found.pairs().values());
            });
  }

  private static String field(KeyValue<Fields> state, String name) {
    return state.value().flatMap(fields -> fields.get(name)).orElse("?");
  }

  /** Makes it equal to these. */
  CompletionStage<Void> replace(List<Pair> all, Revision newest) {
    return content()
        .thenCompose(found -> write(found.state(), differences(found, all), all.size(), newest));
  }

  private List<Write> differences(Content found, List<Pair> all) {
    Map<String, Pair> left = new LinkedHashMap<>(found.pairs());
    List<Write> writes = new ArrayList<>();
    for (Pair pair : all) {
      Pair there = left.remove(pair.remote().path());
      if (there == null || !there.value().equals(pair.value())) {
        writes.add(put(pair));
      }
    }
    left.values().forEach(gone -> writes.add(remove(gone.remote())));
    return writes;
  }

  /** Writes changes. */
  CompletionStage<Void> change(List<Effect.Change> changes, int values, Revision newest) {
    List<Write> writes = new ArrayList<>();
    for (Effect.Change change : changes) {
      writes.add(change.pair().map(this::put).orElseGet(() -> remove(change.remote())));
    }
    return state().thenCompose(now -> write(now, writes, values, newest));
  }

  private CompletionStage<Void> write(
      @Nullable KeyValue<Fields> before, List<Write> writes, int values, Revision newest) {
    Fields now = Fields.empty().with("format", "1").with("values", Integer.toString(values));
    Fields said = newest.isGiven() ? now.with("remote-revision", newest.text()) : now;
    List<Write> batch = new ArrayList<>(writes);
    batch.add(new Write.Put<>(state, said));
    Guard guard = before == null ? new Guard.Absent(state) : new Guard.At(state, before.revision());
    return store.commit(List.of(guard), batch, Call.within(limit)).thenAccept(revision -> {});
  }

  private CompletionStage<Content> content() {
    return state()
        .thenCompose(
            before -> {
              CompletionStage<Map<String, Pair>> pairs =
                  CompletableFuture.completedFuture(new LinkedHashMap<>());
              for (KeyType<?> kind : kinds) {
                pairs = pairs.thenCompose(map -> add(map, kind));
              }
              return pairs.thenApply(map -> new Content(map, before));
            });
  }

  /** The state record, or null when there is none yet. */
  private CompletionStage<@Nullable KeyValue<Fields>> state() {
    return store
        .get(state, Revision.NONE, Call.within(limit))
        .<@Nullable KeyValue<Fields>>handle(
            (found, failed) -> {
              Throwable cause = failed instanceof CompletionException ? failed.getCause() : failed;
              if (cause == null || cause instanceof DatastoreException.DoesNotExist) {
                return checked(found);
              }
              throw new CompletionException(cause);
            });
  }

  private @Nullable KeyValue<Fields> checked(@Nullable KeyValue<Fields> found) {
    if (found != null && !field(found, "format").equals("1")) {
      throw new DatastoreException(
          ErrorKind.FAILED_PRECONDITION,
          state.path(),
          "the mirror has format "
              + field(found, "format")
              + ", this build knows 1: use a newer build",
          null);
    }
    return found;
  }

  private <V> CompletionStage<Map<String, Pair>> add(Map<String, Pair> to, KeyType<V> kind) {
    ListOptions<V> options = ListOptions.all(Prefixed.type(prefix, kind));
    return store
        .list(options, Revision.NONE, Call.within(limit))
        .thenApply(
            list -> {
              for (KeyValue<V> item : list.items()) {
                if (item.key() instanceof Prefixed<V> key && item.value().isPresent()) {
                  Pair pair = new Pair(key.inner(), item.value().get(), Revision.NONE);
                  to.put(pair.remote().path(), pair);
                }
              }
              return to;
            });
  }

  @SuppressWarnings("unchecked") // a pair's value was checked against its key's type
  private Write put(Pair pair) {
    return new Write.Put<>(Prefixed.of(prefix, (Key<Object>) pair.remote()), pair.value());
  }

  private Write remove(Key<?> remote) {
    return new Write.Remove(Prefixed.of(prefix, remote));
  }
}
