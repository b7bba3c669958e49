package dev.evenkeel.scenarios.metrics;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.OperationFlag;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.controller.core.EndedEvent;
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
  private static final Instant BEGUN = Instant.EPOCH.plusSeconds(1);

  private static EndedEvent event() {
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
    List<Failure> failures = List.of(failure);
    Optional<TransactionResult> done = Optional.of(transaction);
    return new EndedEvent() {
      @Override
      public long sequence() {
        return 1;
      }

      @Override
      public String typeName() {
        return "type";
      }

      @Override
      public EventMethod method() {
        return EventMethod.UPDATE;
      }

      @Override
      public Instant begun() {
        return BEGUN;
      }

      @Override
      public Instant ended() {
        return BEGUN;
      }

      @Override
      public long tookNanos() {
        return 7;
      }

      @Override
      public String word() {
        return "applied with errors";
      }

      @Override
      public List<Failure> failures() {
        return failures;
      }

      @Override
      public Optional<TransactionResult> transaction() {
        return done;
      }

      @Override
      public int calls() {
        return 2;
      }

      @Override
      public String handler(int call) {
        return "h";
      }

      @Override
      public long nanos(int call) {
        return 3;
      }

      @Override
      public boolean failed(int call) {
        return call == 1;
      }
    };
  }

  @Test
  @DisplayName("allocates nothing for an event")
  void nothing() {
    LoopTally tally = LoopMetrics.in(new SimpleMeterRegistry()).tally();
    EndedEvent event = event();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytes = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < EVENTS; i++) {
        tally.began(Instant.EPOCH, BEGUN, true);
        tally.ended(event);
      }
      bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertTrue(bytes < EVENTS, bytes + " bytes for " + EVENTS + " events");
  }
}
