package dev.evenkeel.app.examples;

import static dev.evenkeel.app.examples.BridgePlugin.bridge;
import static dev.evenkeel.app.examples.NicPlugin.nic;

import dev.evenkeel.app.examples.BridgePlugin.Bridge;
import dev.evenkeel.app.examples.NicPlugin.Kind;
import dev.evenkeel.app.examples.NicPlugin.Nic;
import java.io.IOException;
import java.util.List;

/** What is refused as invalid leaves what is there alone, and can be set right. */
final class FixedInvalid implements Example {
  @Override
  public String name() {
    return "fixed-invalid";
  }

  @Override
  public String title() {
    return "What is refused as invalid leaves what is there alone, and can be set right";
  }

  @Override
  public void run(Stage stage) throws IOException {
    stage.say("One interface is invalid. What needs it waits; the rest is applied.");
    stage.resync(
        "the whole configuration, with a mistake",
        Stage.put(nic("eth0"), new Nic(Kind.TAP, 1500)),
        Stage.put(nic("eth1"), new Nic(Kind.TAP, 90_000)),
        Stage.put(bridge("br0"), new Bridge(List.of("eth0", "eth1"))));
    stage.showGraph();
    stage.say("The mistake is mended.");
    stage.update("eth1 set right", Stage.put(nic("eth1"), new Nic(Kind.TAP, 9000)));
    stage.say("The next mistake finds the interface in place, and leaves it there.");
    stage.update("eth0 set wrong", Stage.put(nic("eth0"), new Nic(Kind.TAP, 1)));
    stage.showDevice();
  }
}
