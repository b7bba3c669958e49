package dev.evenkeel.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.txn.Txn;
import dev.evenkeel.api.txn.ValueReader;
import dev.evenkeel.api.txn.ValueStatus;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A transaction that is being collected")
class TxnCollectorTest {
  private static final NameKey KEY = new NameKey(ObjectKind.VOLUME, "data");

  private static TxnCollector txn(TxnCollector.Mode mode) {
    return new TxnCollector(mode, new Nothing());
  }

  @Test
  @DisplayName("shows a handler what one before it has reserved")
  void reserved() {
    TxnCollector collector = txn(TxnCollector.Mode.OPERATION);
    Txn txn = collector;
    assertTrue(txn.reserved(KEY).isEmpty());
    collector.owner("reservation");
    txn.reserve(KEY, new NameRecord("u-1"));
    collector.owner("encryption");
    assertEquals(Optional.of(new NameRecord("u-1")), txn.reserved(KEY));
    assertTrue(txn.reserved(new NameKey(ObjectKind.SNAPSHOT, "data")).isEmpty());
    assertEquals(
        List.of(RecordPhase.INTENT, RecordPhase.UNDONE),
        collector.entries().stream().map(e -> ((TxnEntry.Records) e).phase()).toList());
    assertEquals("reservation", collector.entries().get(0).owner());
  }

  @Test
  @DisplayName("of a resync takes neither deletes nor steps nor records")
  void resync() {
    Txn txn = txn(TxnCollector.Mode.RESYNC);
    txn.put(KEY, new NameRecord("u-1"));
    assertThrows(IllegalStateException.class, () -> txn.delete(KEY));
    assertThrows(
        IllegalStateException.class,
        () -> txn.step(Steps.step("s", String.class).apply(c -> "").forwardOnly()));
    assertThrows(IllegalStateException.class, () -> txn.reserve(KEY, new NameRecord("u-1")));
  }

  @Test
  @DisplayName("of a serial event takes no records, and no two steps of one name")
  void serial() {
    Txn txn = txn(TxnCollector.Mode.SERIAL);
    assertEquals("s", txn.step(Steps.step("s", String.class).apply(c -> "").forwardOnly()).name());
    assertThrows(
        IllegalArgumentException.class,
        () -> txn.step(Steps.step("s", String.class).apply(c -> "").forwardOnly()));
    assertThrows(IllegalStateException.class, () -> txn.reserve(KEY, new NameRecord("u-1")));
  }

  @Test
  @DisplayName("gives the last writes of many keys, whenever it is asked")
  void many() {
    TxnCollector txn = txn(TxnCollector.Mode.SERIAL);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 20; i++) {
        NameKey key = new NameKey(ObjectKind.VOLUME, "v" + i);
        assertEquals(round > 0 && i % 3 != 0, txn.get(key).isPresent(), round + " " + i);
        txn.put(key, new NameRecord("u-" + round));
        assertEquals(Optional.of(new NameRecord("u-" + round)), txn.get(key));
        if (i % 3 == 0) {
          txn.delete(key);
          assertTrue(txn.get(key).isEmpty());
        }
      }
    }
    assertEquals(81, txn.entries().size());
    assertEquals(0, txn.again(TxnCollector.Mode.SERIAL, new Nothing()).entries().size());
    assertTrue(txn.get(new NameKey(ObjectKind.VOLUME, "v1")).isEmpty());
  }

  @Test
  @DisplayName("gives its last write of a key, a delete included")
  void lastWrite() {
    Txn txn = txn(TxnCollector.Mode.SERIAL);
    txn.put(KEY, new NameRecord("u-1"));
    txn.put(KEY, new NameRecord("u-2"));
    assertEquals(Optional.of(new NameRecord("u-2")), txn.get(KEY));
    txn.delete(KEY);
    assertTrue(txn.get(KEY).isEmpty());
    assertTrue(txn.committed(KEY).isEmpty());
  }

  private static final class Nothing implements ValueReader {
    @Override
    public ValueStatus status(Key<?> key) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<ValueStatus> statuses(String prefix) {
      return List.of();
    }

    @Override
    public <V> Optional<V> desired(Key<V> key) {
      return Optional.empty();
    }

    @Override
    public <V> Optional<V> applied(Key<V> key) {
      return Optional.empty();
    }

    @Override
    public <V> List<KeyedValue<V>> allApplied(KeyType<V> type) {
      return List.of();
    }

    @Override
    public <M> Optional<M> metadata(Key<?> key, Class<M> type) {
      return Optional.empty();
    }

    @Override
    public List<String> findByIndex(String descriptor, String index, String entry) {
      return List.of();
    }
  }
}
