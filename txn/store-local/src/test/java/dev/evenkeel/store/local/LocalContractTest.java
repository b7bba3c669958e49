package dev.evenkeel.store.local;

import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.tck.datastore.BatchContract;
import dev.evenkeel.tck.datastore.ClientContract;
import dev.evenkeel.tck.datastore.DamageContract;
import dev.evenkeel.tck.datastore.WatchContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class LocalContractTest {
  @TempDir Path folder;

  private Datastore store() {
    return LocalDatastore.open(folder, new JacksonCodecs());
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
  class Damage extends DamageContract {
    @Override
    protected Datastore open() {
      return store();
    }

    @Override
    protected void putGarbage(Datastore target, String path, byte[] bytes) {
      ((LocalDatastore) target).putRaw(path, bytes);
    }
  }

  @Nested
  class Watches extends WatchContract {
    @Override
    protected Datastore open() {
      return store();
    }

    @Override
    protected boolean compact(Datastore target) {
      ((LocalDatastore) target).forgetChanges();
      return true;
    }
  }
}
