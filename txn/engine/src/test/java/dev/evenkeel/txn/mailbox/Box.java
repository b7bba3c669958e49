package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.TransactionEngine;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.Cursor;
import dev.evenkeel.txn.engine.EngineCore;
import dev.evenkeel.txn.engine.EngineSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The mailbox driver, opened for the tests of the engine. */
public final class Box implements AutoCloseable {
  private final Mailbox mailbox;

  /** Makes calls in the place of the driver. */
  public interface Calling {
    Object call(Action action, StepContext context) throws Exception;
  }

  public Box(
      List<? extends Descriptor<?, ?>> descriptors,
      EngineSettings settings,
      EngineClock clock,
      Calling calling) {
    mailbox =
        TransactionEngines.builder("test")
            .descriptors(descriptors)
            .settings(settings)
            .clock(clock)
            .callLimit(Duration.ofSeconds(1))
            .closeLimit(Duration.ofSeconds(10))
            .start(calling::call);
  }

  public TransactionEngine engine() {
    return mailbox;
  }

  /** Lets the engine's thread begin something, and waits for its result. */
  public TransactionResult run(Function<EngineCore, Cursor<TransactionResult>> begin) {
    try {
      return mailbox
          .submit(core -> Optional.of(begin.apply(core)))
          .result()
          .toCompletableFuture()
          .get(20, TimeUnit.SECONDS);
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  @Override
  public void close() {
    mailbox.close();
  }
}
