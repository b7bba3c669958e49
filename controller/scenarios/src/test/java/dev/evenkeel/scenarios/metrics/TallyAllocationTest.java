package dev.evenkeel.scenarios.metrics;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.loop.EventId;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.txn.OperationFlag;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.controller.metrics.LoopMetrics;
import dev.evenkeel.controller.metrics.LoopTally;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Counting what a loop does")
final class TallyAllocationTest {
  private static final int EVENTS = 10_000;

  private static EventRecord record() {
    Failure failure = Failure.of("h", "revert", ErrorKind.INTERNAL, "no");
    TransactionResult transaction =
        new TransactionResult(
            1,
            TransactionOutcome.APPLIED,
            List.of(
                new OperationRecord(
                    ValueOperation.CREATE,
                    "/a",
                    "/a",
                    "h",
                    ValueState.NONEXISTENT,
                    ValueState.CONFIGURED,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Set.of(OperationFlag.DERIVED))),
            List.of(
                new StepRecord(
                    "s", "h", StepRecord.Act.DONE, Optional.empty(), Duration.ofMillis(1))),
            List.of());
    return new EventRecord(
        1,
        new EventId(1),
        Optional.of(0L),
        "type",
        "words",
        EventMethod.UPDATE,
        Instant.EPOCH,
        Instant.EPOCH.plusSeconds(1),
        Optional.of(Instant.EPOCH.plusSeconds(3)),
        List.of("h"),
        List.of(
            new HandlerRecord("h", false, "", Optional.empty(), Duration.ofMillis(1)),
            new HandlerRecord("h", true, "", Optional.of(failure), Duration.ofMillis(1))),
        Optional.of(transaction),
        Optional.of("applied with errors"),
        List.of(failure));
  }

  @Test
  @DisplayName("allocates nothing for an event")
  void nothing() {
    LoopTally tally = LoopMetrics.in(new SimpleMeterRegistry()).tally(System::nanoTime);
    EventRecord record = record();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < EVENTS; i++) {
        tally.began(1, record.pushed(), record.start(), true);
        tally.onEnd(record);
      }
      bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertTrue(bytes < EVENTS, bytes + " bytes for " + EVENTS + " events");
  }
}
