package dev.evenkeel.app.examples;

import static dev.evenkeel.app.examples.BridgePlugin.bridge;
import static dev.evenkeel.app.examples.NicPlugin.nic;

import dev.evenkeel.app.examples.BridgePlugin.Bridge;
import dev.evenkeel.app.examples.NicPlugin.Kind;
import dev.evenkeel.app.examples.NicPlugin.Nic;
import java.io.IOException;
import java.util.List;

/** A transaction that fails half way is put back, the last change first. */
final class RevertedChange implements Example {
  @Override
  public String name() {
    return "reverted-change";
  }

  @Override
  public String title() {
    return "A transaction that fails half way is put back, the last change first";
  }

  @Override
  public void run(Stage stage) throws IOException {
    stage.resync(
        "everything is there",
        Stage.put(nic("eth0"), new Nic(Kind.TAP, 1500)),
        Stage.put(nic("eth1"), new Nic(Kind.TAP, 1500)),
        Stage.put(bridge("br0"), new Bridge(List.of("eth0"))));
    stage.say("Three changes in one transaction. The switch will refuse one of them.");
    stage.device.failNext("update " + nic("eth1").path(), "no such size on this port");
    stage.revertOnFailure(
        "larger frames everywhere, or nowhere",
        Stage.put(nic("eth0"), new Nic(Kind.TAP, 9000)),
        Stage.put(nic("eth1"), new Nic(Kind.TAP, 9000)),
        Stage.put(nic("eth2"), new Nic(Kind.TAP, 9000)));
    stage.showDevice();
    stage.showGraph();
  }
}
