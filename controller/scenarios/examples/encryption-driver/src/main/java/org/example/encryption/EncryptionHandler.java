package org.example.encryption;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.handlers.volume.VolumePlan;

/**
 * Encrypts the volumes that come with a passphrase: behind the stock handler that makes the image,
 * before the one that calls the volume complete.
 */
final class EncryptionHandler implements EventHandler {
  /** Name of the secret. */
  static final String PASSPHRASE = "passphrase";

  private final Headers headers;

  EncryptionHandler(Headers headers) {
    this.headers = headers;
  }

  @Override
  public String name() {
    return "encryption";
  }

  @Override
  public Order order() {
    return Order.after("image").before("state");
  }

  @Override
  public boolean handlesEvent(Event event) {
    return event instanceof DeleteVolume
        || (event instanceof CreateVolume create && create.secrets().names().contains(PASSPHRASE));
  }

  @Override
  public String update(UpdateEvent event, Turn turn) {
    VolumePlan plan = VolumePlan.find(turn, event).orElse(null);
    if (plan instanceof VolumePlan.Make make) {
      turn.txn().step(new EncryptStep(make.object().image(), headers));
      return "encrypts it";
    }
    if (plan instanceof VolumePlan.Remove remove) {
      turn.txn().step(headers.removal(remove.object().image()));
      return "forgets its key";
    }
    return "";
  }

  @Override
  public void resync(ResyncEvent event, Turn turn) {
    // Images are not rebuilt by a resync, and neither are their headers.
  }
}
