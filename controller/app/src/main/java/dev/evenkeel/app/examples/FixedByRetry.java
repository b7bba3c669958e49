package dev.evenkeel.app.examples;

import static dev.evenkeel.app.examples.BridgePlugin.bridge;
import static dev.evenkeel.app.examples.NicPlugin.nic;

import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.app.examples.BridgePlugin.Bridge;
import dev.evenkeel.app.examples.NicPlugin.Kind;
import dev.evenkeel.app.examples.NicPlugin.Nic;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** What failed is tried again, and what waited for it follows. */
final class FixedByRetry implements Example {
  private static final RetryPolicy TWICE =
      new RetryPolicy(Duration.ofMillis(100), 2, Duration.ofSeconds(1), 2, 0);

  @Override
  public String name() {
    return "fixed-by-retry";
  }

  @Override
  public String title() {
    return "What failed is tried again, and what waited for it follows";
  }

  @Override
  public void run(Stage stage) throws IOException {
    stage.say("The switch refuses the interface twice. Two retries are allowed.");
    stage.device.failNext("create " + nic("eth0").path(), "the switch is busy");
    stage.device.failNext("create " + nic("eth0").path(), "the switch is still busy");
    stage.updateWithRetry(
        "a bridge and its interface",
        TWICE,
        Stage.put(nic("eth0"), new Nic(Kind.TAP, 1500)),
        Stage.put(bridge("br0"), new Bridge(List.of("eth0"))));
    stage.showGraph();
    stage.say("The first retry, 100 ms later, fails. The second, after 200 ms more, does not.");
    stage.retryAll();
    stage.showDevice();
  }
}
