package dev.evenkeel.datastore;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Guard;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.KeyValueList;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.SyncerOptions;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.Write;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A store whose lists and watches wait until the test says what they answer, for each kind. */
final class FakeStore implements Datastore {
  record FakeKey(KeyType<String> type, String name) implements Key<String> {
    @Override
    public String path() {
      return KeyPaths.join(type.prefix(), name);
    }
  }

  /** One kind, its script, and what was asked. */
  static final class Kind {
    final KeyType<String> type;
    final LinkedBlockingQueue<FakeWatch> watches = new LinkedBlockingQueue<>();
    final List<Long> listTimes = new ArrayList<>();
    final List<Call> listCalls = new ArrayList<>();
    final List<Revision> listRevisions = new ArrayList<>();
    final List<Revision> watchRevisions = new ArrayList<>();
    private final ArrayDeque<CompletableFuture<KeyValueList<String>>> answers = new ArrayDeque<>();
    private final ArrayDeque<CompletableFuture<KeyValueList<String>>> asked = new ArrayDeque<>();
    private final ArrayDeque<RuntimeException> watchFailures = new ArrayDeque<>();
    final ArrayDeque<RuntimeException> gets = new ArrayDeque<>();

    Kind(String name) {
      KeyType<String>[] self = newArray();
      self[0] = KeyType.named(name, "/" + name + "/", String.class, n -> new FakeKey(self[0], n));
      type = self[0];
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // a box for a type that its own parser needs
    private static KeyType<String>[] newArray() {
      return new KeyType[1];
    }

    FakeKey key(String name) {
      return new FakeKey(type, name);
    }

    /** {@code a@1}: key a with revision 1 and a value that says so. */
    KeyValue<String> pair(String text) {
      String[] parts = text.split("@", -1);
      return KeyValue.<String>of(key(parts[0]), "v" + parts[1]).at(new Revision(parts[1]));
    }

    void list(String revision, String... pairs) {
      answer(
          CompletableFuture.completedFuture(
              new KeyValueList<>(
                  Arrays.stream(pairs).map(this::pair).toList(), new Revision(revision))));
    }

    void listFails(int times) {
      for (int i = 0; i < times; i++) {
        answer(
            CompletableFuture.failedFuture(DatastoreException.failed("/", "the list fails", null)));
      }
    }

    synchronized void watchFails(RuntimeException failure) {
      watchFailures.add(failure);
    }

    private synchronized void answer(CompletableFuture<KeyValueList<String>> answer) {
      CompletableFuture<KeyValueList<String>> waiting = asked.poll();
      if (waiting == null) {
        answers.add(answer);
      } else {
        var unused =
            answer.whenComplete(
                (list, failure) -> {
                  if (failure == null) {
                    waiting.complete(list);
                  } else {
                    waiting.completeExceptionally(failure);
                  }
                });
      }
    }

    synchronized int lists() {
      return listTimes.size();
    }

    FakeWatch awaitWatch() throws InterruptedException {
      FakeWatch watch = watches.poll(20, TimeUnit.SECONDS);
      assertNotNull(watch, "a watch was expected");
      return watch;
    }

    private synchronized CompletableFuture<KeyValueList<String>> asked(Revision at, Call call) {
      listTimes.add(System.nanoTime());
      listCalls.add(call);
      listRevisions.add(at);
      CompletableFuture<KeyValueList<String>> answer = answers.poll();
      if (answer == null) {
        answer = new CompletableFuture<>();
        asked.add(answer);
      }
      return answer;
    }

    private synchronized FakeWatch watch(Revision from, Watch.Observer<String> observer) {
      watchRevisions.add(from);
      RuntimeException failure = watchFailures.poll();
      if (failure != null) {
        throw failure;
      }
      FakeWatch watch = new FakeWatch(observer);
      watches.add(watch);
      return watch;
    }
  }

  /** A watch that the test feeds. */
  static final class FakeWatch implements Watch {
    final Observer<String> out;
    final AtomicInteger closes = new AtomicInteger();

    FakeWatch(Observer<String> out) {
      this.out = out;
    }

    @Override
    public void close() {
      closes.incrementAndGet();
    }

    @Override
    public boolean hasTerminated() {
      return closes.get() > 0;
    }

    void end() {
      out.onClosed();
    }

    void fail() {
      out.onError(DatastoreException.failed("/", "the watch fails", null));
      out.onClosed();
    }
  }

  final Kind one = new Kind("one");
  final Kind two = new Kind("two");
  final Kind three = new Kind("three");

  static SyncerOptions.Source<?> source(Kind kind) {
    return new SyncerOptions.Source<>(ListOptions.all(kind.type), Optional.empty());
  }

  private Kind kind(KeyType<?> type) {
    return List.of(one, two, three).stream()
        .filter(kind -> kind.type.equals(type))
        .findFirst()
        .orElseThrow();
  }

  @Override
  @SuppressWarnings("unchecked") // all values here are texts
  public <V> CompletionStage<KeyValueList<V>> list(
      ListOptions<V> options, Revision revision, Call call) {
    return (CompletionStage<KeyValueList<V>>)
        (CompletionStage<?>) kind(options.type()).asked(revision, call);
  }

  @Override
  @SuppressWarnings("unchecked") // all values here are texts
  public <V> Watch watch(ListOptions<V> options, Revision revision, Watch.Observer<V> observer) {
    return kind(options.type()).watch(revision, (Watch.Observer<String>) observer);
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> get(Key<V> key, Revision revision, Call call) {
    RuntimeException failure = kind(key.type()).gets.poll();
    return CompletableFuture.failedFuture(
        failure == null ? new DatastoreException.DoesNotExist(key.path()) : failure);
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> create(KeyValue<V> pair, Call call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> update(KeyValue<V> pair, Call call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> apply(KeyValue<V> pair, Call call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> delete(Key<V> key, Revision revision, Call call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V> CompletionStage<KeyValue<V>> deleteKvp(KeyValue<V> pair, Call call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Revision> commit(List<Guard> guards, List<Write> writes, Call call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Void> ensureInitialized(Call call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Void> clean(Call call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public void close() {}
}
