package dev.evenkeel.app.examples;

import static dev.evenkeel.app.examples.BridgePlugin.bridge;
import static dev.evenkeel.app.examples.BridgePlugin.forward;
import static dev.evenkeel.app.examples.NicPlugin.nic;

import dev.evenkeel.app.examples.BridgePlugin.Bridge;
import dev.evenkeel.app.examples.BridgePlugin.Forward;
import dev.evenkeel.app.examples.NicPlugin.Kind;
import dev.evenkeel.app.examples.NicPlugin.Nic;
import java.io.IOException;
import java.util.List;

/** What loses what it needs is taken away first, and waits. */
final class PendingAfterChange implements Example {
  @Override
  public String name() {
    return "pending-after-change";
  }

  @Override
  public String title() {
    return "What loses what it needs is taken away first, and waits";
  }

  @Override
  public void run(Stage stage) throws IOException {
    stage.resync(
        "everything is there",
        Stage.put(nic("eth0"), new Nic(Kind.TAP, 1500)),
        Stage.put(bridge("br0"), new Bridge(List.of("eth0"))),
        Stage.put(forward("br0", "02:00"), new Forward("br0", "eth0")));
    stage.say("The interface goes. What depends on it goes before it, the last one first.");
    stage.update("eth0 is pulled out", Stage.delete(nic("eth0")));
    stage.showGraph();
    stage.say("It comes back, and so does what waited.");
    stage.update("eth0 is plugged in again", Stage.put(nic("eth0"), new Nic(Kind.TAP, 9000)));
    stage.showDevice();
  }
}
