package dev.evenkeel.app.examples;

import static dev.evenkeel.app.examples.BridgePlugin.bridge;
import static dev.evenkeel.app.examples.NicPlugin.nic;

import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.app.examples.BridgePlugin.Bridge;
import dev.evenkeel.app.examples.NicPlugin.Kind;
import dev.evenkeel.app.examples.NicPlugin.Nic;
import dev.evenkeel.txn.TxnEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/** How long large transactions take, and small ones on a large graph. */
final class Performance implements Example {
  private static final int LARGE = 1_000;

  private final LongSupplier nanos;

  /** With a stopwatch: nanoseconds since some time. */
  Performance(LongSupplier nanos) {
    this.nanos = nanos;
  }

  @Override
  public String name() {
    return "performance";
  }

  @Override
  public String title() {
    return "How long large transactions take, and small ones on a large graph";
  }

  @Override
  public void run(Stage stage) throws IOException {
    stage.say(LARGE + " interfaces and one bridge over all of them, in one transaction, cold.");
    List<TxnEntry> entries = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < LARGE; i++) {
      names.add(String.format(Locale.ROOT, "eth%06d", i));
      entries.add(Stage.put(nic(names.get(i)), new Nic(Kind.TAP, 1500)));
    }
    entries.add(Stage.put(bridge("br0"), new Bridge(names)));
    timed(stage, "everything at once", entries);
    stage.say("One interface more, and away again.");
    timed(stage, "one comes", List.of(Stage.put(nic("new"), new Nic(Kind.TAP, 1500))));
    timed(stage, "one goes", List.of(Stage.delete(nic("new"))));
    stage.say("For figures that mean something: many forks, peers and floors beside them.");
  }

  private void timed(Stage stage, String description, List<TxnEntry> entries) throws IOException {
    long begin = nanos.getAsLong();
    TransactionResult result = stage.quietly(description, entries);
    long micros = (nanos.getAsLong() - begin) / 1_000;
    stage.tell(
        description + ": " + result.operations().size() + " operations in " + micros + " us");
  }
}
