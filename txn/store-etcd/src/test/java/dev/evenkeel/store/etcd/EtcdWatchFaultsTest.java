package dev.evenkeel.store.etcd;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.SyncStatus;
import dev.evenkeel.api.datastore.Syncer;
import dev.evenkeel.api.datastore.SyncerCallbacks;
import dev.evenkeel.api.datastore.SyncerOptions;
import dev.evenkeel.api.datastore.Update;
import dev.evenkeel.api.datastore.Watch;
import dev.evenkeel.api.datastore.WatchEvent;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("What comes between a watch and what it waits for")
@Timeout(300)
class EtcdWatchFaultsTest {
  private static final Call CALL = Call.usual();

  private static KeyValue<Item> pair(String name, int number) {
    return KeyValue.of(new ItemKey(name), new Item("x".repeat(2_000), number));
  }

  /** Keeps what a syncer has told. */
  private static final class Mirror implements SyncerCallbacks {
    final Map<String, Integer> values = new ConcurrentSkipListMap<>();
    final List<SyncStatus> statuses = new CopyOnWriteArrayList<>();

    @Override
    public void onStatusUpdated(SyncStatus status) {
      statuses.add(status);
    }

    @Override
    public void onUpdates(List<Update> updates) {
      for (Update update : updates) {
        String path = update.pair().key().path();
        update
            .pair()
            .value()
            .ifPresentOrElse(
                value -> values.put(path, ((Item) value).number()), () -> values.remove(path));
      }
    }
  }

  @Test
  @DisplayName("a syncer that etcd has compacted past reads anew, and ends with what is there")
  void compactedPast() throws Exception {
    Mirror mirror = new Mirror();
    try (Etcd etcd = Etcd.start(1);
        Wire wire = new Wire(URI.create(etcd.member(0).endpoint()).getPort())) {
      EtcdSettings settings = etcd.settings();
      EtcdSettings overWire =
          EtcdSettings.of("http://127.0.0.1:" + wire.port()).root(settings.root());
      try (EtcdDatastore store = Etcd.open(overWire);
          EtcdDatastore writer = Etcd.open(settings)) {
        var unused = writer.blocking().create(pair("gone", 1), CALL);
        Syncer syncer =
            store.syncer(
                SyncerOptions.of(
                    List.of(
                        new SyncerOptions.Source<>(
                            ListOptions.all(ItemKey.TYPE), Optional.empty()))),
                mirror);
        syncer.start();
        await().atMost(Etcd.PATIENCE).until(() -> mirror.statuses.contains(SyncStatus.IN_SYNC));
        wire.cut();
        Map<String, Integer> wanted = new ConcurrentSkipListMap<>();
        for (int i = 0; i < 20; i++) {
          unused = writer.blocking().apply(pair("n" + i % 5, i), CALL);
          wanted.put(new ItemKey("n" + i % 5).path(), i);
        }
        unused = writer.blocking().delete(new ItemKey("gone"), Revision.NONE, CALL);
        EtcdContractTest.compact(writer);
        wire.mend();

        await().atMost(Etcd.PATIENCE).until(() -> mirror.values.equals(wanted));
        // it was told that the watch could not go on: sync was lost, and is there again
        await()
            .atMost(Etcd.PATIENCE)
            .until(
                () ->
                    mirror.statuses.size() > 3
                        && mirror.statuses.get(mirror.statuses.size() - 1) == SyncStatus.IN_SYNC);
        syncer.stop();
      }
    }
  }

  @Test
  @DisplayName("an etcd that is full refuses writes by type, answers reads, and writes again later")
  void full() {
    String quota = Integer.toString(16 << 20);
    try (Etcd etcd = Etcd.start(1, "--quota-backend-bytes", quota);
        EtcdDatastore store = etcd.open()) {
      var unused = store.blocking().create(pair("first", 1), CALL);
      String much = "y".repeat(500_000);
      EvenkeelException refused =
          assertThrows(
              EvenkeelException.class,
              () -> {
                for (int i = 0; i < 200; i++) {
                  var more =
                      store
                          .blocking()
                          .apply(KeyValue.of(new ItemKey("much"), new Item(much, i)), CALL);
                  assertTrue(more.revision().isGiven());
                }
              });
      assertEquals(ErrorKind.RESOURCE_EXHAUSTED, refused.kind(), refused::toString);
      assertFalse(refused.getMessage().contains("yyyy"), "the value is not in the message");
      assertEquals(
          1, store.blocking().get(new ItemKey("first"), CALL).value().orElseThrow().number());
      EvenkeelException again =
          assertThrows(
              EvenkeelException.class, () -> store.blocking().create(pair("second", 2), CALL));
      assertEquals(ErrorKind.RESOURCE_EXHAUSTED, again.kind());
      assertTrue(store.blocking().find(new ItemKey("second"), CALL).isEmpty(), "nothing half done");
      // what frees room is still possible
      unused = store.blocking().delete(new ItemKey("much"), Revision.NONE, CALL);
    }
  }

  /** A server that speaks of revisions out of step when it was asked for them. */
  private static final class OutOfStep {
    final List<Long> starts = new CopyOnWriteArrayList<>();

    StreamObserver<WatchRequest> watch(StreamObserver<WatchResponse> answers) {
      return new StreamObserver<>() {
        @Override
        public void onNext(WatchRequest request) {
          starts.add(request.getCreateRequest().getStartRevision());
          answers.onNext(response(0, 5).setCreated(true).build());
          if (starts.size() == 1) {
            // somebody on the same stream has asked; events up to 100 are still to come
            answers.onNext(response(-1, 100).build());
            answers.onNext(response(0, 7).addEvents(event(7)).build());
            answers.onError(Status.UNAVAILABLE.withDescription("gone").asRuntimeException());
          } else {
            answers.onNext(response(0, 8).addEvents(event(8)).build());
          }
        }

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
      };
    }

    private static WatchResponse.Builder response(long watch, long revision) {
      return WatchResponse.newBuilder()
          .setWatchId(watch)
          .setHeader(ResponseHeader.newBuilder().setClusterId(1).setRevision(revision));
    }

    private static Event event(long revision) {
      return Event.newBuilder()
          .setType(Event.EventType.PUT)
          .setKv(
              io.etcd.jetcd.api.KeyValue.newBuilder()
                  .setKey(ByteString.copyFromUtf8("/fake" + new ItemKey("a").path()))
                  .setValue(ByteString.copyFromUtf8("{\"number\":" + revision + ",\"text\":\"t\"}"))
                  .setCreateRevision(6)
                  .setModRevision(revision)
                  .setVersion(revision))
          .build();
    }
  }

  /** Keeps what a watch has told. */
  private static final class Told implements Watch.Observer<Item> {
    final List<String> events = new CopyOnWriteArrayList<>();
    final List<DatastoreException> errors = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(WatchEvent<Item> event) {
      String text = event.getClass().getSimpleName();
      if (event instanceof WatchEvent.Added<Item> added) {
        text += " " + added.current().revision().text();
      } else if (event instanceof WatchEvent.Modified<Item> modified) {
        text += " " + modified.current().revision().text();
      }
      events.add(text);
    }

    @Override
    public void onError(DatastoreException failure) {
      errors.add(failure);
    }

    @Override
    public void onClosed() {}
  }

  @Test
  @DisplayName("4.12 a progress that was asked for is out of step, and moves no watch's position")
  void progressOutOfStep() throws Exception {
    OutOfStep fake = new OutOfStep();
    var method = WatchGrpc.getWatchMethod();
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(
                ServerServiceDefinition.builder(
                        ServiceDescriptor.newBuilder(WatchGrpc.SERVICE_NAME)
                            .addMethod(method)
                            .build())
                    .addMethod(method, ServerCalls.asyncBidiStreamingCall(fake::watch))
                    .build())
            .build()
            .start();
    Told told = new Told();
    EtcdSettings settings = EtcdSettings.of("http://127.0.0.1:" + server.getPort()).root("/fake");
    try (EtcdDatastore store = Etcd.open(settings)) {
      Watch watch = store.watch(ListOptions.all(ItemKey.TYPE), new Revision("5"), told);
      await().atMost(Etcd.PATIENCE).until(() -> told.events.size() >= 2);
      assertEquals(List.of(6L, 8L), List.copyOf(fake.starts));
      assertTrue(
          told.events.stream().noneMatch(e -> e.startsWith("Progress")), told.events::toString);
      assertTrue(told.events.get(0).endsWith(" 7"), told.events::toString);
      assertTrue(told.events.get(1).endsWith(" 8"), told.events::toString);
      assertEquals(List.of(), told.errors);
      watch.close();
    } finally {
      server.shutdownNow();
      assertTrue(server.awaitTermination(20, TimeUnit.SECONDS));
    }
  }
}
