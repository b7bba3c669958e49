package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.OperationLoader;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.handler.Reader;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ModifyVolume;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.api.volume.VolumeLocks;
import dev.evenkeel.api.volume.VolumeSource;
import java.util.Optional;

/** First of the stock handlers: reads the records, takes names, decides what is to be done. */
final class ReservationHandler extends VolumeRequests implements OperationLoader {
  private final VolumeSettings settings;
  private final Sizes sizes;
  private final Reservations reservations;

  ReservationHandler(VolumeBackend backend, VolumeSettings settings) {
    this.settings = settings;
    sizes = new Sizes(backend);
    reservations = new Reservations(backend, settings);
  }

  @Override
  public String name() {
    return "reservation";
  }

  @Override
  public Order order() {
    return Order.ANY.before("image", "metadata", "state");
  }

  @Override
  public void load(UpdateEvent event, Reader reader) {
    Records records = new Records(settings, reader::read);
    if (event instanceof CreateVolume create) {
      begun(records, records.byName(ObjectKind.VOLUME, create.name()));
      create.source().ifPresent(s -> records.find(Reservations.kindOf(s.kind()), s.ref()));
    } else if (event instanceof CreateSnapshot cut) {
      begun(records, records.byName(ObjectKind.SNAPSHOT, cut.name()));
      var unused = records.find(ObjectKind.VOLUME, cut.source());
    } else if (event instanceof DeleteVolume delete) {
      canonical(records, ObjectKind.VOLUME, delete.volume(), reader);
    } else if (event instanceof ExpandVolume expand) {
      canonical(records, ObjectKind.VOLUME, expand.volume(), reader);
    } else if (event instanceof ModifyVolume modify) {
      canonical(records, ObjectKind.VOLUME, modify.volume(), reader);
    } else if (event instanceof DeleteSnapshot delete) {
      canonical(records, ObjectKind.SNAPSHOT, delete.snapshot(), reader);
    }
  }

  /**
   * An interrupted attempt goes on with the source that it began with; whatever the event is, that
   * attempt may have to be ended first.
   */
  private static void begun(Records records, Optional<Records.Entry> entry) {
    entry
        .flatMap(Records.Entry::record)
        .filter(record -> record.state() != ObjectRecord.State.CREATED)
        .flatMap(Answers::source)
        .ifPresent(source -> records.find(Reservations.kindOf(source.kind()), source.ref()));
  }

  /** One journal and one lock serve an object, whether it is meant by name or by id. */
  private static void canonical(Records records, ObjectKind kind, ObjectRef ref, Reader reader) {
    Optional<Records.Entry> entry = records.find(kind, ref);
    begun(records, entry);
    Optional<ObjectRecord> record = entry.flatMap(Records.Entry::record);
    if (ref.by() == ObjectRef.By.ID && record.isPresent()) {
      String name = record.get().name();
      reader.subject(
          kind == ObjectKind.SNAPSHOT ? VolumeLocks.snapshot(name) : VolumeLocks.volume(name));
    }
  }

  @Override
  public String update(UpdateEvent event, Turn turn) {
    Records records = new Records(settings, turn::loaded);
    if (event instanceof CreateVolume create) {
      return decided(turn, create, reservations.volume(create, turn, records));
    }
    if (event instanceof CreateSnapshot cut) {
      return decided(turn, cut, reservations.snapshot(cut, turn, records));
    }
    if (event instanceof ExpandVolume expand) {
      return decided(turn, expand, expand(expand, records));
    }
    if (event instanceof ModifyVolume modify) {
      return decided(turn, modify, reservations.change(modify, records));
    }
    if (event instanceof DeleteVolume delete) {
      Optional<Records.Entry> entry = records.find(ObjectKind.VOLUME, delete.volume());
      if (entry.isEmpty()) {
        turn.answer(delete, new Done(false));
        return "there is no such volume";
      }
      return decided(
          turn,
          delete,
          reservations.removal(ObjectKind.VOLUME, delete.volume(), entry.get(), turn));
    }
    DeleteSnapshot delete = (DeleteSnapshot) event;
    Optional<Records.Entry> entry = records.find(ObjectKind.SNAPSHOT, delete.snapshot());
    if (entry.isEmpty()) {
      turn.answer(delete, new Done(false));
      return "there is no such snapshot";
    }
    return decided(
        turn,
        delete,
        reservations.removal(ObjectKind.SNAPSHOT, delete.snapshot(), entry.get(), turn));
  }

  private VolumePlan expand(ExpandVolume expand, Records records) {
    ObjectRecord volume =
        records
            .find(ObjectKind.VOLUME, expand.volume())
            .flatMap(Records.Entry::record)
            .orElseThrow(
                () ->
                    new EvenkeelException(
                        ErrorKind.NOT_FOUND, "there is no volume " + expand.volume()));
    Reservations.checkComplete(volume);
    return volume.size() >= expand.size().required()
        ? new VolumePlan.Keep(ObjectKind.VOLUME, volume)
        : new VolumePlan.Grow(
            ObjectKind.VOLUME, volume, sizes.grown(expand.size()), Optional.empty());
  }

  private static String decided(Turn turn, UpdateEvent event, VolumePlan plan) {
    Plans.put(turn, event, plan);
    String name = plan.object().name();
    if (plan instanceof VolumePlan.Make make) {
      return "makes "
          + name
          + ", "
          + make.size()
          + " bytes"
          + make.origin().map(o -> ", from a " + noun(o.kind())).orElse("");
    }
    if (plan instanceof VolumePlan.Grow grow) {
      return "lets "
          + name
          + " grow from "
          + plan.object().size()
          + " to "
          + grow.size()
          + " bytes";
    }
    if (plan instanceof VolumePlan.Change change) {
      return "changes " + change.parameters().keySet() + " of " + name;
    }
    return plan instanceof VolumePlan.Remove
        ? "removes " + name
        : name + " is there, " + plan.object().size() + " bytes";
  }

  private static String noun(VolumeSource.Kind kind) {
    return kind == VolumeSource.Kind.SNAPSHOT ? "snapshot" : "volume";
  }
}
