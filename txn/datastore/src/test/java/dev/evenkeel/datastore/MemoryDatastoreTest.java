package dev.evenkeel.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MemoryDatastoreTest {
  @Test
  @DisplayName("a pair is created, found, and gone after its delete")
  void smoke() {
    try (MemoryDatastore store = MemoryDatastore.create()) {
      BlockingDatastore calls = store.blocking();
      NameKey key = new NameKey(ObjectKind.VOLUME, "a");
      var made = calls.create(KeyValue.of(key, new NameRecord("u")), Call.usual());
      assertEquals(made, calls.get(key, Call.usual()));
      calls.delete(key, made.revision(), Call.usual());
      assertThrows(DatastoreException.DoesNotExist.class, () -> calls.get(key, Call.usual()));
    }
  }
}
