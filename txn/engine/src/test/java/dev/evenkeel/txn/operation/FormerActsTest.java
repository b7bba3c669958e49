package dev.evenkeel.txn.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.txn.TransactionOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("JT-14 What an earlier leader has begun")
class FormerActsTest {
  private static final VolumeEvent CREATE = VolumeEvent.create("n", "A");

  private final Rig rig = new Rig(true);
  private final Turned clock = new Turned();

  /** A clock turned by hand. */
  private static final class Turned extends Clock {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  /** The leader of epoch 7 dies in the middle of a create, and the one of epoch 8 follows. */
  private void leaderDies(FormerActs former) {
    rig.journal = new Journal(rig.store, VolumeEvent.CODEC, () -> rig.epoch, clock, former);
    rig.epoch = new Epoch(7);
    rig.faults.arm(3, false, true);
    assertThrows(Faults.Crash.class, () -> rig.run(CREATE));
    rig.restart();
    rig.backend.log.clear();
    rig.epoch = new Epoch(8);
  }

  private void refused(VolumeEvent event, ErrorKind kind) {
    Rig.Ended ended = rig.run(event);
    assertEquals(TransactionOutcome.REJECTED, ended.outcome());
    assertEquals(kind, ended.kind());
    assertEquals(List.of(), rig.backend.log);
  }

  @Test
  @DisplayName("is not touched, by a repeat or by a delete, until it must be over; then it goes on")
  void waits() {
    leaderDies(FormerActs.waiting(Duration.ofSeconds(30), clock));
    refused(CREATE, ErrorKind.BUSY);
    assertTrue(
        rig.run(CREATE).failures().get(0).message().contains("2026-01-01T00:00:30Z"),
        "it says when to come again");
    clock.now = clock.now.plusMillis(29_999);
    refused(VolumeEvent.delete("n"), ErrorKind.BUSY);
    assertEquals(
        TransactionOutcome.APPLIED,
        rig.run(VolumeEvent.create("other", "A")).outcome(),
        "what nobody had begun need not wait");
    rig.backend.log.clear();

    clock.now = clock.now.plusMillis(1);

    assertEquals(TransactionOutcome.APPLIED, rig.run(CREATE).outcome());
  }

  @Test
  @DisplayName("is waited for anew by the next leader, and not by the same one after a restart")
  void epochs() {
    leaderDies(FormerActs.waiting(Duration.ofSeconds(30), clock));
    rig.epoch = new Epoch(7);
    rig.faults.arm(3, false, true);
    assertThrows(Faults.Crash.class, () -> rig.run(CREATE));
    rig.restart();
    rig.backend.log.clear();

    rig.epoch = new Epoch(8);
    refused(CREATE, ErrorKind.BUSY);
    clock.now = clock.now.plusSeconds(20);
    rig.epoch = new Epoch(9);
    refused(CREATE, ErrorKind.BUSY);
    clock.now = clock.now.plusSeconds(20);
    refused(CREATE, ErrorKind.BUSY);
    clock.now = clock.now.plusSeconds(10);
    assertEquals(TransactionOutcome.APPLIED, rig.run(CREATE).outcome());
  }

  @Test
  @DisplayName("is over at once where the backend fences, which it is asked for once in an epoch")
  void fences() {
    List<Epoch> fenced = new ArrayList<>();
    leaderDies(FormerActs.fenced(fenced::add));

    assertEquals(TransactionOutcome.APPLIED, rig.run(CREATE).outcome());
    assertEquals(TransactionOutcome.APPLIED, rig.run(VolumeEvent.delete("n")).outcome());

    assertEquals(List.of(new Epoch(8)), fenced);
  }

  @Test
  @DisplayName("is not touched while the backend cannot say that it has fenced")
  void cannotFence() {
    List<Epoch> asked = new ArrayList<>();
    leaderDies(
        FormerActs.fenced(
            epoch -> {
              asked.add(epoch);
              if (asked.size() < 3) {
                throw new java.io.IOException("the backend is away");
              }
            }));

    refused(CREATE, ErrorKind.UNAVAILABLE);
    refused(CREATE, ErrorKind.UNAVAILABLE);
    assertEquals(TransactionOutcome.APPLIED, rig.run(CREATE).outcome());
    assertEquals(3, asked.size());
  }
}
