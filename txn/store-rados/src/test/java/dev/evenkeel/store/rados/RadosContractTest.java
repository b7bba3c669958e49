package dev.evenkeel.store.rados;

import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.tck.datastore.BatchContract;
import dev.evenkeel.tck.datastore.ClientContract;
import dev.evenkeel.tck.datastore.DamageContract;
import dev.evenkeel.tck.datastore.LatestWatchContract;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;

/** The contract of all stores, on a real cluster; with three directory objects for each kind. */
class RadosContractTest {
  private static Datastore store() {
    Ceph ceph = Ceph.get();
    return Ceph.open(ceph.settings().forInstance("default", 3));
  }

  @Nested
  class Client extends ClientContract {
    @Override
    protected Datastore open() {
      return store();
    }
  }

  @Nested
  class Batch extends BatchContract {
    @Override
    protected Datastore open() {
      return store();
    }
  }

  @Nested
  class Watches extends LatestWatchContract {
    @Override
    protected Datastore open() {
      return store();
    }
  }

  @Nested
  class Damage extends DamageContract {
    @Override
    protected Datastore open() {
      return store();
    }

    @Override
    protected void putGarbage(Datastore target, String path, byte[] bytes) {
      RadosDatastore rados = (RadosDatastore) target;
      Spot spot = rados.spot(dev.evenkeel.tck.datastore.ItemKey.TYPE.parse(path).orElseThrow());
      Map<String, byte[]> entries = new TreeMap<>();
      entries.put(spot.head(), Pairs.bytes(rados.cluster().token()));
      entries.put(spot.uid(), Pairs.bytes(rados.cluster().token()));
      entries.put(spot.key("text"), bytes);
      WriteOp op = new WriteOp().create();
      op.removeRange(spot.head(), spot.prefix() + "\n").set(entries);
      Reply reply = rados.cluster().write(spot.home(), op).join();
      org.junit.jupiter.api.Assertions.assertEquals(0, reply.code());
    }
  }
}
