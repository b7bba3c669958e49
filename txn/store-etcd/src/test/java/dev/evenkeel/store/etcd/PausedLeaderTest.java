package dev.evenkeel.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.tck.datastore.ItemKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two controllers' processes on one etcd: the one that leads is stopped until the other leads. */
@DisplayName("A leader whose process was paused past its lease")
@Timeout(900)
class PausedLeaderTest {
  @Test
  @DisplayName("JT-14 attempts a write in each of 20 rounds, and etcd refuses every one")
  void twenty() throws Exception {
    rounds(20);
  }

  @Test
  @Tag("long")
  @DisplayName("JT-14 attempts a write in each of 100 rounds, and etcd refuses every one")
  void hundred() throws Exception {
    rounds(100);
  }

  private static void rounds(int rounds) throws Exception {
    try (Etcd etcd = Etcd.start(1)) {
      EtcdSettings settings = etcd.settings();
      List<LeaderProcess> two = new ArrayList<>();
      try (EtcdDatastore store = Etcd.open(settings)) {
        two.add(new LeaderProcess(settings));
        two.add(new LeaderProcess(settings));
        int refused = 0;
        for (int round = 0; round < rounds; round++) {
          // Whoever has written leads; on a slow machine that may not be the one of last time.
          LeaderProcess old = awaitWritten(two, round);
          old.signal("STOP");
          LeaderProcess other = two.get(two.get(0) == old ? 1 : 0);
          assertSame(other, awaitWritten(List.of(other), round));
          // The order waits in the pipe for as long as the process is stopped.
          int number = 5_000 + round;
          old.send("stale " + number);
          old.signal("CONT");
          assertEquals("fenced", old.answer("stale"), "a stale write, round " + round);
          refused++;
          var now = store.blocking().get(new ItemKey("shared"), Call.usual());
          assertNotEquals(number, now.value().orElseThrow().number());
        }
        assertEquals(rounds, refused);
      } finally {
        two.forEach(LeaderProcess::close);
      }
    }
  }

  private static LeaderProcess awaitWritten(List<LeaderProcess> processes, int number)
      throws Exception {
    long end = System.nanoTime() + Etcd.PATIENCE.toNanos();
    while (true) {
      for (LeaderProcess process : processes) {
        String answer = process.write(number);
        if (answer.equals("written")) {
          return process;
        }
        assertTrue(Set.of("waits", "fenced").contains(answer), answer);
      }
      assertTrue(System.nanoTime() - end < 0, "somebody leads");
      LockSupport.parkNanos(20_000_000);
    }
  }
}
