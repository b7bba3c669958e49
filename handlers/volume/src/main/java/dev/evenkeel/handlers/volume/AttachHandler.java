package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
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
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.volume.AttachVolume;
import dev.evenkeel.api.volume.AttachmentKey;
import dev.evenkeel.api.volume.AttachmentRecord;
import dev.evenkeel.api.volume.DetachVolume;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.api.volume.VolumeLocks;
import java.util.Optional;

/**
 * Makes volumes reachable from nodes (operations reference, 4.12). The record is there before the
 * first act and goes only when detaching has succeeded, so that nothing attached is ever forgotten.
 * A backend without that ability has the records alone.
 */
final class AttachHandler implements EventHandler, OperationLoader {
  private final VolumeBackend backend;
  private final VolumeSettings settings;

  AttachHandler(VolumeBackend backend, VolumeSettings settings) {
    this.backend = backend;
    this.settings = settings;
  }

  @Override
  public String name() {
    return "attach";
  }

  @Override
  public Order order() {
    return Order.after("reservation", "image", "metadata", "group").before("state");
  }

  @Override
  public boolean handlesEvent(Event event) {
    return event instanceof AttachVolume || event instanceof DetachVolume;
  }

  /** Never called, as no resync is handled. */
  @Override
  public void resync(ResyncEvent event, Turn turn) {}

  @Override
  public void load(UpdateEvent event, Reader reader) {
    ObjectRef ref = event instanceof AttachVolume a ? a.volume() : ((DetachVolume) event).volume();
    String node = event instanceof AttachVolume a ? a.node() : ((DetachVolume) event).node();
    Optional<NodeVolume> volume =
        NodeVolume.find(settings, new Records(settings, reader::read), ref);
    if (volume.isPresent()) {
      var unused = reader.read(new AttachmentKey(volume.get().id(), node));
      reader.subject(VolumeLocks.attachment(volume.get().id(), node));
    }
  }

  @Override
  public String update(UpdateEvent event, Turn turn) {
    return event instanceof AttachVolume attach
        ? attach(attach, turn)
        : detach((DetachVolume) event, turn);
  }

  private String attach(AttachVolume attach, Turn turn) {
    NodeVolume volume =
        find(attach.volume(), turn)
            .filter(found -> found.name().isPresent())
            .orElseThrow(() -> NodeVolume.absent(attach.volume()));
    lockName(volume, LockMode.STAGE, attach.node(), turn);
    AttachmentKey key = new AttachmentKey(volume.id(), attach.node());
    Optional<AttachmentRecord> before = turn.loaded(key);
    if (before.filter(record -> record.readOnly() != attach.readOnly()).isPresent()) {
      throw new EvenkeelException(
          ErrorKind.ALREADY_EXISTS,
          volume.name().orElse(volume.id())
              + " is attached to "
              + attach.node()
              + (attach.readOnly() ? " for writing" : " read-only"));
    }
    AttachmentRecord begun =
        new AttachmentRecord(
            volume.id(), attach.node(), attach.readOnly(), false, turn.transaction());
    if (before.isEmpty() || before.get().equals(begun)) {
      turn.txn().reserve(key, begun);
    }
    backend
        .attachment()
        .ifPresent(
            able -> {
              Ref<Done> unused =
                  able.attach(volume.image(), attach.node(), attach.readOnly()).addTo(turn.txn());
            });
    if (before.filter(AttachmentRecord::complete).isEmpty()) {
      AttachmentRecord done =
          new AttachmentRecord(
              volume.id(), attach.node(), attach.readOnly(), true, turn.transaction());
      turn.txn().record(key, results -> done);
    }
    turn.answer(attach, new Done(true));
    return "attaches it to " + attach.node();
  }

  private String detach(DetachVolume detach, Turn turn) {
    Optional<NodeVolume> found = find(detach.volume(), turn);
    if (found.isEmpty()) {
      turn.answer(detach, new Done(false));
      return "there is no such volume";
    }
    NodeVolume volume = found.get();
    lockName(volume, LockMode.UNSTAGE, detach.node(), turn);
    AttachmentKey key = new AttachmentKey(volume.id(), detach.node());
    boolean known = turn.loaded(key).isPresent();
    backend
        .attachment()
        .ifPresent(
            able -> {
              Ref<Done> unused = able.detach(volume.image(), detach.node()).addTo(turn.txn());
            });
    if (known) {
      turn.txn().erase(key);
    }
    turn.answer(detach, new Done(known));
    return "detaches it from " + detach.node();
  }

  private Optional<NodeVolume> find(ObjectRef ref, Turn turn) {
    return NodeVolume.find(settings, new Records(settings, turn::loaded), ref);
  }

  /** A delete by its name must see that it is being attached by its id, too. */
  private static void lockName(NodeVolume volume, LockMode mode, String node, Turn turn) {
    String scope = "attachment " + node;
    turn.lock(new LockKey(VolumeLocks.volume(volume.id()), mode, scope));
    volume.name().ifPresent(name -> turn.lock(new LockKey(VolumeLocks.volume(name), mode, scope)));
  }
}
