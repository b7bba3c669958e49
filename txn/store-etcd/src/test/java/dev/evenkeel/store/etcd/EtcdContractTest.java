package dev.evenkeel.store.etcd;

import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.tck.datastore.BatchContract;
import dev.evenkeel.tck.datastore.ClientContract;
import dev.evenkeel.tck.datastore.DamageContract;
import dev.evenkeel.tck.datastore.ItemKey;
import dev.evenkeel.tck.datastore.WatchContract;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.KVGrpc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** The whole contract, on a real etcd. Each test has a root of its own. */
@DisplayName("The etcd store keeps the datastore's contract")
class EtcdContractTest {
  private static Etcd etcd;

  @BeforeAll
  static void start() {
    etcd = Etcd.start(1);
  }

  @AfterAll
  static void end() {
    if (etcd != null) {
      etcd.close();
    }
  }

  /** Forgets everything up to now. */
  static void compact(Datastore target) {
    var store = (EtcdDatastore) target;
    // etcd keeps the changes of the revision itself.
    store.putRaw("/elsewhere/x", new byte[1]);
    String now =
        store.blocking().list(ListOptions.all(ItemKey.TYPE), Call.usual()).revision().text();
    CompactionRequest request =
        CompactionRequest.newBuilder().setRevision(Long.parseLong(now)).setPhysical(true).build();
    var unused =
        store
            .connection()
            .ask(KVGrpc.getCompactMethod(), request, Limit.of("compact", Call.usual()))
            .join();
  }

  @Nested
  class Client extends ClientContract {
    @Override
    protected Datastore open() {
      return etcd.open();
    }
  }

  @Nested
  class Batch extends BatchContract {
    @Override
    protected Datastore open() {
      return etcd.open();
    }
  }

  @Nested
  class Damage extends DamageContract {
    @Override
    protected Datastore open() {
      return etcd.open();
    }

    @Override
    protected void putGarbage(Datastore target, String path, byte[] bytes) {
      ((EtcdDatastore) target).putRaw(path, bytes);
    }
  }

  @Nested
  class Watches extends WatchContract {
    @Override
    protected Datastore open() {
      return etcd.open();
    }

    @Override
    protected boolean compact(Datastore target) {
      EtcdContractTest.compact(target);
      return true;
    }
  }
}
