package dev.evenkeel.app.readme;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.CreateVolume;
import java.nio.file.Files;
import java.nio.file.Path;

// README: from here
/** Puts a card on a shelf for each volume that is made. */
public record ShelfHandler(Path shelf) implements EventHandler {
  @Override
  public String name() {
    return "shelf";
  }

  @Override
  public boolean handlesEvent(Event event) {
    return event instanceof CreateVolume;
  }

  @Override
  public String update(UpdateEvent event, Turn turn) {
    CreateVolume create = (CreateVolume) event;
    Path card = shelf.resolve(create.name());
    turn.txn()
        .step(
            Steps.step("shelf-card", String.class)
                .probe(step -> Files.exists(card) ? Probe.present("" + card) : Probe.absent())
                .apply(step -> Files.writeString(card, create.describe()).toString())
                .undo((step, done) -> Files.deleteIfExists(card)));
    return "a card for " + create.name();
  }

  @Override
  public void resync(ResyncEvent event, Turn turn) {} // has nothing that could be lost
}
// README: to here
