package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.OperationLoader;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.handler.Reader;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.volume.DeviceMountState;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.ExpandNodeVolume;
import dev.evenkeel.api.volume.MountKey;
import dev.evenkeel.api.volume.MountRecord;
import dev.evenkeel.api.volume.MountSpec.AccessMode;
import dev.evenkeel.api.volume.MounterUpdater;
import dev.evenkeel.api.volume.PublishVolume;
import dev.evenkeel.api.volume.StageVolume;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.UnpublishVolume;
import dev.evenkeel.api.volume.UnstageVolume;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.api.volume.VolumeLocks;
import java.util.Optional;

/**
 * The node side (operations reference, 4.8 to 4.11). The stash is stored before the first act and
 * goes when the device is off for certain, so that whatever is mapped can be unmapped. Every act is
 * probed, whatever the records say: a restart of the node has taken the mounts, and not them.
 */
final class MountHandler implements EventHandler, OperationLoader {
  private final VolumeBackend backend;
  private final VolumeBackend.Mounting mounting;
  private final VolumeSettings settings;
  private final MounterUpdater mounter;

  MountHandler(VolumeBackend backend, VolumeSettings settings, MounterUpdater mounter) {
    this.backend = backend;
    this.settings = settings;
    this.mounter = mounter;
    mounting =
        backend
            .mounting()
            .orElseThrow(
                () ->
                    new EvenkeelException(
                        ErrorKind.UNIMPLEMENTED,
                        "the backend " + backend.name() + " cannot mount volumes"));
  }

  @Override
  public String name() {
    return "mount";
  }

  @Override
  public Order order() {
    return Order.after("reservation", "image", "metadata", "attach").before("state");
  }

  @Override
  public boolean handlesEvent(Event event) {
    return event instanceof UpdateEvent update && OnNode.of(update).isPresent();
  }

  /** Never called, as no resync is handled. */
  @Override
  public void resync(ResyncEvent event, Turn turn) {}

  @Override
  public void load(UpdateEvent event, Reader reader) throws Exception {
    OnNode at = OnNode.of(event).orElseThrow();
    Optional<NodeVolume> found =
        NodeVolume.find(settings, new Records(settings, reader::read), at.volume());
    if (found.isEmpty()) {
      return;
    }
    NodeVolume volume = found.get();
    reader.subject(at.subject(volume.id()));
    Optional<MountRecord> stash = reader.read(MountKey.stash(volume.id(), at.node()));
    if (event instanceof PublishVolume || event instanceof UnpublishVolume) {
      var unused = reader.read(new MountKey(volume.id(), at.node(), at.path()));
    }
    if (event instanceof StageVolume && backend.find(volume.image()).isEmpty()) {
      throw NodeVolume.absent(at.volume());
    }
    if (event instanceof PublishVolume publish
        && publish.mount().access() == AccessMode.SINGLE_NODE_SINGLE_WRITER) {
      checkAlone(publish, volume, reader);
    }
    if (event instanceof UnstageVolume && stash.isEmpty() && mounting.isMounted(at.path())) {
      throw new EvenkeelException(
          ErrorKind.INTERNAL, at.path() + " is mounted, and no stash says what it is");
    }
  }

  private static void checkAlone(PublishVolume publish, NodeVolume volume, Reader reader) {
    for (KeyedValue<MountRecord> other :
        reader.list(MountKey.TYPE, MountKey.directory(volume.id(), publish.node()))) {
      Optional<String> target = other.value().target();
      if (target.isPresent() && !target.get().equals(publish.path())) {
        throw new EvenkeelException(
            ErrorKind.FAILED_PRECONDITION,
            "volume " + volume.id() + " has a single writer, at " + target.get());
      }
    }
  }

  @Override
  public String update(UpdateEvent event, Turn turn) {
    OnNode at = OnNode.of(event).orElseThrow();
    Optional<NodeVolume> volume =
        NodeVolume.find(settings, new Records(settings, turn::loaded), at.volume());
    if (volume.isEmpty()) {
      return absent(event, turn, at);
    }
    lockBoth(volume.get(), at, turn);
    if (event instanceof StageVolume stage) {
      return stage(stage, volume.get(), turn);
    }
    if (event instanceof UnstageVolume unstage) {
      return unstage(unstage, volume.get(), turn);
    }
    if (event instanceof PublishVolume publish) {
      return publish(publish, volume.get(), turn);
    }
    return event instanceof UnpublishVolume unpublish
        ? unpublish(unpublish, volume.get(), turn)
        : expand((ExpandNodeVolume) event, volume.get(), turn);
  }

  /** What cannot be there counts as taken away. */
  private static String absent(UpdateEvent event, Turn turn, OnNode at) {
    if (event instanceof UnstageVolume unstage) {
      turn.answer(unstage, new Done(false));
    } else if (event instanceof UnpublishVolume unpublish) {
      turn.answer(unpublish, new Done(false));
    } else {
      throw NodeVolume.absent(at.volume());
    }
    return "there is no such volume";
  }

  /** Whoever comes by name or by id must see the other. */
  private static void lockBoth(NodeVolume volume, OnNode at, Turn turn) {
    turn.lock(new LockKey(VolumeLocks.volume(volume.id()), at.mode(), at.scope()));
    volume
        .name()
        .ifPresent(name -> turn.lock(new LockKey(VolumeLocks.volume(name), at.mode(), at.scope())));
    if (!at.whole()) {
      turn.lock(LockKey.of(VolumeLocks.onNode(volume.id(), at.node()), LockMode.SHARED));
    }
  }

  private static void act(StepPlan<Done> acts, Turn turn) {
    Ref<Done> unused = acts.addTo(turn.txn());
  }

  private String stage(StageVolume stage, NodeVolume volume, Turn turn) {
    MountKey key = MountKey.stash(volume.id(), stage.node());
    Optional<MountRecord> before = turn.loaded(key);
    if (before
        .filter(Mounts::isMounted)
        .filter(record -> !record.deviceMountPath().equals(stage.path()))
        .isPresent()) {
      throw new EvenkeelException(
          ErrorKind.FAILED_PRECONDITION,
          "volume " + volume.id() + " is staged at " + before.get().deviceMountPath());
    }
    MountRecord wanted =
        new MountRecord(
            volume.id(),
            stage.node(),
            before.map(MountRecord::device).orElse(""),
            stage.path(),
            Optional.empty(),
            DeviceMountState.UNCERTAIN,
            turn.transaction());
    Mounts.begin(turn, key, wanted);
    Ref<String> device = mounting.map(volume.image(), stage.mount()).addTo(turn.txn());
    act(mounting.mount(volume.image(), stage.path(), stage.mount()), turn);
    turn.txn()
        .records(
            RecordPhase.SUCCESS,
            (results, writer) ->
                mounter.markVolumeAsStaged(Mounts.on(wanted, results.get(device)), writer));
    turn.answer(stage, new Done(true));
    return "stages it at " + stage.path();
  }

  private String unstage(UnstageVolume unstage, NodeVolume volume, Turn turn) {
    Optional<MountRecord> stash = turn.loaded(MountKey.stash(volume.id(), unstage.node()));
    if (stash.isEmpty()) {
      turn.answer(unstage, new Done(false));
      return "it is not staged";
    }
    act(mounting.unmount(unstage.path()), turn);
    if (!stash.get().deviceMountPath().equals(unstage.path())) {
      act(mounting.unmount(stash.get().deviceMountPath()), turn);
    }
    act(mounting.unmap(volume.image()), turn);
    turn.txn()
        .records(
            RecordPhase.SUCCESS,
            (results, writer) -> mounter.markDeviceAsUnStaged(volume.id(), writer));
    turn.answer(unstage, new Done(true));
    return "takes it off " + unstage.path();
  }

  private String publish(PublishVolume publish, NodeVolume volume, Turn turn) {
    MountRecord stash = Mounts.staged(turn, volume, publish.node(), Optional.of(publish.staging()));
    MountRecord wanted =
        new MountRecord(
            volume.id(),
            publish.node(),
            stash.device(),
            stash.deviceMountPath(),
            Optional.of(publish.path()),
            DeviceMountState.UNCERTAIN,
            turn.transaction());
    Mounts.begin(turn, new MountKey(volume.id(), publish.node(), publish.path()), wanted);
    String shown = publish.mount().block() ? stash.device() : publish.staging();
    act(mounting.bind(shown, publish.path(), publish.mount()), turn);
    turn.txn()
        .records(
            RecordPhase.SUCCESS,
            (results, writer) ->
                mounter.markVolumeAsPublished(Mounts.in(wanted, DeviceMountState.MOUNTED), writer));
    turn.answer(publish, new Done(true));
    return "shows it at " + publish.path();
  }

  private String unpublish(UnpublishVolume unpublish, NodeVolume volume, Turn turn) {
    act(mounting.unmount(unpublish.path()), turn);
    turn.txn()
        .records(
            RecordPhase.SUCCESS,
            (results, writer) ->
                mounter.markDeviceAsUnPublished(volume.id(), unpublish.path(), writer));
    turn.answer(unpublish, new Done(true));
    return "takes it away from " + unpublish.path();
  }

  private String expand(ExpandNodeVolume expand, NodeVolume volume, Turn turn) {
    MountRecord stash = Mounts.staged(turn, volume, expand.node(), Optional.empty());
    if (expand.size().limit() > 0 && expand.size().required() > expand.size().limit()) {
      throw InvalidInputException.of(
          "expand-node-volume", "size", "", "must not be larger than its limit");
    }
    Ref<Long> size =
        turn.txn().step(mounting.growFileSystem(volume.image(), stash.deviceMountPath()));
    turn.txn()
        .records(
            RecordPhase.SUCCESS,
            (results, writer) ->
                mounter.markVolumeAsResized(volume.id(), results.get(size), writer));
    turn.answerFrom(
        expand,
        results ->
            new Volume(
                volume.id(),
                volume.name().orElse(volume.id()),
                results.get(size),
                Optional.empty()));
    return "lets its file system grow";
  }
}
