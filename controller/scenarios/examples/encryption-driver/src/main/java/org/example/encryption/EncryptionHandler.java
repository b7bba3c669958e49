package org.example.encryption;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.OperationLoader;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.handler.Reader;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import java.util.Optional;

/**
 * Encrypts the volumes that come with a passphrase: behind the stock handler that makes the image,
 * before the one that calls the volume complete.
 */
final class EncryptionHandler implements EventHandler, OperationLoader {
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
        || (event instanceof CreateVolume create
            && create.secrets().names().contains(PASSPHRASE));
  }

  @Override
  public void load(UpdateEvent event, Reader reader) {
    // The stock handlers read what this one needs.
  }

  @Override
  public String update(UpdateEvent event, Turn turn) {
    if (event instanceof CreateVolume create && !(turn.found() instanceof Found.Repeat)) {
      var image = turn.txn().reserved(recordKey(turn, create.name())).orElseThrow().image();
      turn.txn().step(new EncryptStep(image, headers));
      return "encrypts " + image;
    }
    return "";
  }

  private static ObjectKey recordKey(Turn turn, String name) {
    var uuid = turn.txn().reserved(new NameKey(ObjectKind.VOLUME, name)).orElseThrow().uuid();
    return new ObjectKey(ObjectKind.VOLUME, uuid);
  }

  @Override
  public void resync(ResyncEvent event, Turn turn) {
    // Images are not rebuilt by a resync, and neither are their headers.
  }
}
