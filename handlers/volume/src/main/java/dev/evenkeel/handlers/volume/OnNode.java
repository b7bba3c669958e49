package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.volume.ExpandNodeVolume;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.PublishVolume;
import dev.evenkeel.api.volume.StageVolume;
import dev.evenkeel.api.volume.UnpublishVolume;
import dev.evenkeel.api.volume.UnstageVolume;
import dev.evenkeel.api.volume.VolumeLocks;
import java.util.Optional;

/**
 * What requests of the node side have in common.
 *
 * @param whole whether it is about the device, and not about one target
 */
record OnNode(ObjectRef volume, String node, String path, LockMode mode, boolean whole) {
  /** Empty for any other event. */
  static Optional<OnNode> of(UpdateEvent event) {
    OnNode at = null;
    if (event instanceof StageVolume e) {
      at = new OnNode(e.volume(), e.node(), e.path(), LockMode.STAGE, true);
    } else if (event instanceof UnstageVolume e) {
      at = new OnNode(e.volume(), e.node(), e.path(), LockMode.UNSTAGE, true);
    } else if (event instanceof PublishVolume e) {
      at = new OnNode(e.volume(), e.node(), e.path(), LockMode.STAGE, false);
    } else if (event instanceof UnpublishVolume e) {
      at = new OnNode(e.volume(), e.node(), e.path(), LockMode.UNSTAGE, false);
    } else if (event instanceof ExpandNodeVolume e) {
      at = new OnNode(e.volume(), e.node(), e.path(), LockMode.EXPAND, true);
    }
    return Optional.ofNullable(at);
  }

  String subject(String id) {
    return whole ? VolumeLocks.onNode(id, node) : VolumeLocks.target(id, node, path);
  }

  /** What narrows the lock on the volume: the node, or the target. */
  String scope() {
    return whole ? node : path;
  }
}
