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

/** A change that cannot be made in place is a removal and a creation. */
final class Recreation implements Example {
  @Override
  public String name() {
    return "re-creation";
  }

  @Override
  public String title() {
    return "A change that cannot be made in place is a removal and a creation";
  }

  @Override
  public void run(Stage stage) throws IOException {
    stage.resync(
        "everything is there",
        Stage.put(nic("eth0"), new Nic(Kind.TAP, 1500)),
        Stage.put(bridge("br0"), new Bridge(List.of("eth0"))),
        Stage.put(forward("br0", "02:00"), new Forward("br0", "eth0")));
    stage.say("Another size is a change in place: nothing else is touched.");
    stage.update("larger frames", Stage.put(nic("eth0"), new Nic(Kind.TAP, 9000)));
    stage.say("Another kind is another interface: what depends on it must let go meanwhile.");
    stage.update("eth0 becomes a loopback", Stage.put(nic("eth0"), new Nic(Kind.LOOPBACK, 9000)));
    stage.showDevice();
    stage.showGraph();
  }
}
