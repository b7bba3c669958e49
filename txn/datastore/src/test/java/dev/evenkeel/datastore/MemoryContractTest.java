package dev.evenkeel.datastore;

import dev.evenkeel.api.datastore.Capability;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.tck.datastore.BatchContract;
import dev.evenkeel.tck.datastore.ClientContract;
import dev.evenkeel.tck.datastore.DamageContract;
import dev.evenkeel.tck.datastore.NoWatchContract;
import dev.evenkeel.tck.datastore.WatchContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** The contract, with all abilities and with each of them taken away once. */
class MemoryContractTest {
  private final TestTime time = new TestTime();

  private final List<MemoryDatastore> opened = new ArrayList<>();

  private MemoryDatastore full() {
    return opened(MemoryDatastore.builder());
  }

  private MemoryDatastore without(Capability ability) {
    return opened(MemoryDatastore.builder().without(ability));
  }

  private MemoryDatastore opened(MemoryDatastore.Builder builder) {
    MemoryDatastore store = builder.time(time, (delay, task) -> {}).history(400).build();
    opened.add(store);
    return store;
  }

  @Nested
  class Client extends ClientContract {
    @Override
    protected Datastore open() {
      return full();
    }

    @Override
    protected void passTime(Duration passed) {
      time.pass(passed);
    }
  }

  @Nested
  class Batch extends BatchContract {
    @Override
    protected Datastore open() {
      return full();
    }
  }

  @Nested
  class Watches extends WatchContract {
    @Override
    protected Datastore open() {
      return full();
    }

    @Override
    protected boolean compact(Datastore target) {
      for (int i = 0; i < 401; i++) {
        ((MemoryDatastore) target).putGarbage("/filler", new byte[] {1});
      }
      return true;
    }

    @Override
    protected void passTime(Duration passed) {
      time.pass(passed);
      opened.forEach(MemoryDatastore::expire);
    }
  }

  @Nested
  class Damage extends DamageContract {
    @Override
    protected Datastore open() {
      return full();
    }

    @Override
    protected void putGarbage(Datastore target, String path, byte[] bytes) {
      ((MemoryDatastore) target).putGarbage(path, bytes);
    }
  }

  @Nested
  class ClientWithoutAtomicBatch extends Client {
    @Override
    protected Datastore open() {
      return without(Capability.ATOMIC_BATCH);
    }
  }

  @Nested
  class BatchWithoutAtomicBatch extends Batch {
    @Override
    protected Datastore open() {
      return without(Capability.ATOMIC_BATCH);
    }
  }

  @Nested
  class WatchesWithoutAtomicBatch extends Watches {
    @Override
    protected Datastore open() {
      return without(Capability.ATOMIC_BATCH);
    }
  }

  @Nested
  class ClientWithoutHistory extends Client {
    @Override
    protected Datastore open() {
      return without(Capability.HISTORY);
    }
  }

  @Nested
  class BatchWithoutHistory extends Batch {
    @Override
    protected Datastore open() {
      return without(Capability.HISTORY);
    }
  }

  @Nested
  class WatchesWithoutHistory extends Watches {
    @Override
    protected Datastore open() {
      return without(Capability.HISTORY);
    }
  }

  @Nested
  class ClientWithoutOrderedWatch extends Client {
    @Override
    protected Datastore open() {
      return without(Capability.ORDERED_WATCH);
    }
  }

  @Nested
  class BatchWithoutOrderedWatch extends Batch {
    @Override
    protected Datastore open() {
      return without(Capability.ORDERED_WATCH);
    }
  }

  @Nested
  class WatchesWithoutOrderedWatch extends NoWatchContract {
    @Override
    protected Datastore open() {
      return without(Capability.ORDERED_WATCH);
    }
  }

  @Nested
  class DamageWithoutOrderedWatch extends Damage {
    @Override
    protected Datastore open() {
      return without(Capability.ORDERED_WATCH);
    }
  }

  @Nested
  class ClientWithoutTtl extends Client {
    @Override
    protected Datastore open() {
      return without(Capability.TTL);
    }
  }

  @Nested
  class BatchWithoutTtl extends Batch {
    @Override
    protected Datastore open() {
      return without(Capability.TTL);
    }
  }

  @Nested
  class WatchesWithoutTtl extends Watches {
    @Override
    protected Datastore open() {
      return without(Capability.TTL);
    }
  }

  @Nested
  class ClientWithoutFenced extends Client {
    @Override
    protected Datastore open() {
      return without(Capability.FENCED);
    }
  }

  @Nested
  class BatchWithoutFenced extends Batch {
    @Override
    protected Datastore open() {
      return without(Capability.FENCED);
    }
  }

  @Nested
  class WatchesWithoutFenced extends Watches {
    @Override
    protected Datastore open() {
      return without(Capability.FENCED);
    }
  }
}
