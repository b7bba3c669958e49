package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.volume.DeviceMountState;
import dev.evenkeel.api.volume.MountKey;
import dev.evenkeel.api.volume.MountRecord;
import java.util.Optional;

/**
 * The three-valued state of what is mounted (operations reference, 3.9). Before the first act it is
 * uncertain, and it stays so until the acts have succeeded or were undone; what is known to be
 * mounted is never demoted by an error.
 */
final class Mounts {
  private Mounts() {}

  /** Before the first act, and when all has been undone. */
  static void begin(Turn turn, MountKey key, MountRecord wanted) {
    Optional<MountRecord> before = turn.loaded(key);
    if (before.filter(Mounts::isMounted).isPresent()) {
      return;
    }
    MountRecord uncertain = in(wanted, DeviceMountState.UNCERTAIN);
    turn.txn().records(RecordPhase.INTENT, (results, writer) -> writer.put(key, uncertain));
    Optional<MountRecord> anothers =
        before.filter(record -> !record.transaction().equals(turn.transaction()));
    turn.txn()
        .records(
            RecordPhase.UNDONE,
            (results, writer) ->
                anothers.ifPresentOrElse(
                    record -> writer.put(key, record), () -> writer.erase(key)));
  }

  static boolean isMounted(MountRecord record) {
    return record.state() == DeviceMountState.MOUNTED;
  }

  static MountRecord in(MountRecord record, DeviceMountState state) {
    return new MountRecord(
        record.volumeId(),
        record.node(),
        record.device(),
        record.deviceMountPath(),
        record.target(),
        state,
        record.transaction());
  }

  static MountRecord on(MountRecord record, String device) {
    return new MountRecord(
        record.volumeId(),
        record.node(),
        device,
        record.deviceMountPath(),
        record.target(),
        DeviceMountState.MOUNTED,
        record.transaction());
  }

  /** The stash of a volume that is staged there for certain. */
  static MountRecord staged(Turn turn, NodeVolume volume, String node, Optional<String> path) {
    Optional<MountRecord> stash = turn.loaded(MountKey.stash(volume.id(), node));
    if (stash.filter(Mounts::isMounted).isEmpty()) {
      throw new EvenkeelException(
          ErrorKind.FAILED_PRECONDITION,
          "volume " + volume.id() + " is not staged on node " + node + ": stage it first");
    }
    if (path.filter(p -> !p.equals(stash.get().deviceMountPath())).isPresent()) {
      throw new EvenkeelException(
          ErrorKind.FAILED_PRECONDITION,
          "volume " + volume.id() + " is staged at " + stash.get().deviceMountPath());
    }
    return stash.get();
  }
}
