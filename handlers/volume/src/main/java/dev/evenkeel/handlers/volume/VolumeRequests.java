package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ModifyVolume;

/** What the stock handlers have in common: which events they see, and that a resync moves none. */
abstract class VolumeRequests implements EventHandler {
  @Override
  public boolean handlesEvent(Event event) {
    return event instanceof CreateVolume
        || event instanceof DeleteVolume
        || event instanceof ExpandVolume
        || event instanceof ModifyVolume
        || event instanceof CreateSnapshot
        || event instanceof DeleteSnapshot;
  }

  /** Never called, as no resync is handled: volumes are operations, and are never made anew. */
  @Override
  public void resync(ResyncEvent event, Turn turn) {}
}
