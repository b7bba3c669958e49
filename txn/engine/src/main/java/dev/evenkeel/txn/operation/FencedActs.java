package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.volume.VolumeBackend;
import java.time.Instant;
import java.util.Optional;

/** Former acts that the backend ends. */
final class FencedActs implements FormerActs {
  private final VolumeBackend.Fencing backend;
  private Epoch fenced = Epoch.NONE;

  FencedActs(VolumeBackend.Fencing backend) {
    this.backend = backend;
  }

  @Override
  public synchronized Optional<Instant> until(Epoch ours) throws Exception {
    if (ours.compareTo(fenced) > 0) {
      backend.fence(ours);
      fenced = ours;
    }
    return Optional.empty();
  }
}
