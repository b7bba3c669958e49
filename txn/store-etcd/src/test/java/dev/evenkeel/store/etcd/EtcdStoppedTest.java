package dev.evenkeel.store.etcd;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.election.Leadership;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A stopped etcd (SIGSTOP)")
@Timeout(300)
class EtcdStoppedTest {
  @Test
  @DisplayName("ends calls at their deadline and a term before its lease, and all goes on after it")
  void stopped() throws Exception {
    try (Etcd etcd = Etcd.start(1)) {
      EtcdSettings settings = etcd.settings();
      try (EtcdElection election = EtcdElection.open(settings, Duration.ofSeconds(2));
          EtcdDatastore store = Etcd.open(settings)) {
        Leadership term = election.campaign("one").toCompletableFuture().get(60, TimeUnit.SECONDS);
        KeyValue<Item> a = KeyValue.of(new ItemKey("a"), new Item("", 1));
        var unused = store.blocking().create(a, Call.usual());
        etcd.member(0).stop();
        for (int i = 0; i < 2; i++) {
          Call brief = Call.within(Duration.ofMillis(300));
          var late = assertThrows(EvenkeelException.class, () -> store.blocking().apply(a, brief));
          assertEquals(ErrorKind.DEADLINE_EXCEEDED, late.kind());
        }
        term.lost().toCompletableFuture().get(60, TimeUnit.SECONDS);
        assertFalse(term.held());
        etcd.member(0).goOn();
        Leadership next = election.campaign("one").toCompletableFuture().get(60, TimeUnit.SECONDS);
        assertTrue(next.epoch().compareTo(term.epoch()) > 0);
        await()
            .atMost(Etcd.PATIENCE)
            .ignoreExceptionsInstanceOf(EvenkeelException.class)
            .until(() -> store.blocking().find(a.key(), Call.usual()).isPresent());
      }
    }
  }
}
