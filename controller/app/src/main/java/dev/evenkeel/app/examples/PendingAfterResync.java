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

/** What a resync cannot apply yet waits, and is applied as soon as it can be. */
final class PendingAfterResync implements Example {
  @Override
  public String name() {
    return "pending-after-resync";
  }

  @Override
  public String title() {
    return "What a resync cannot apply yet waits, and is applied as soon as it can be";
  }

  @Override
  public void run(Stage stage) throws IOException {
    stage.say("A resync wants a bridge over two interfaces. One of them is not there yet.");
    stage.resync(
        "the whole configuration",
        Stage.put(nic("eth0"), new Nic(Kind.TAP, 1500)),
        Stage.put(bridge("br0"), new Bridge(List.of("eth0", "eth1"))),
        Stage.put(forward("br0", "02:00"), new Forward("br0", "eth0")),
        Stage.put(forward("br0", "02:01"), new Forward("br0", "eth1")));
    stage.showGraph();
    stage.say("The second interface comes: its port and what is forwarded to it follow.");
    stage.update("eth1 has been plugged in", Stage.put(nic("eth1"), new Nic(Kind.TAP, 1500)));
    stage.showDevice();
  }
}
