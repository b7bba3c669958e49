package dev.evenkeel.controller.internal;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever threads do to the permits at once is as if they had done it one after another: nothing
 * is accepted after a close has been seen, and no more than there is room for.
 */
@DisplayName("Permits")
@Timeout(120)
public class PermitsLincheckTest {
  private final Permits permits = new Permits(2);

  /** A producer pushes. */
  @Operation
  public String take() {
    return permits.take().name();
  }

  /** The loop has taken an event, if one waits. */
  @Operation(nonParallelGroup = "loop")
  public boolean release() {
    if (permits.held() == 0) {
      return false;
    }
    permits.release();
    return true;
  }

  /** Somebody closes. */
  @Operation
  public void close() {
    permits.close();
  }

  /** The loop looks. */
  @Operation
  public boolean isClosed() {
    return permits.isClosed();
  }

  @Test
  @DisplayName("JT-16 taken, released and closed at once, are linearizable: by stress")
  void stress() {
    new StressOptions()
        .iterations(10)
        .invocationsPerIteration(2_000)
        .threads(3)
        .actorsPerThread(3)
        .check(PermitsLincheckTest.class);
  }

  @Test
  @DisplayName("JT-16 taken, released and closed at once, are linearizable: by model checking")
  void modelChecked() {
    new ModelCheckingOptions()
        .iterations(10)
        .invocationsPerIteration(500)
        .threads(2)
        .actorsPerThread(3)
        .check(PermitsLincheckTest.class);
  }
}
