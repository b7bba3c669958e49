package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.RecordWriter;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.api.txn.Txn;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ModifyVolume;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRecord.State;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Last of the stock handlers: calls the updaters in their phases, and gives the answer. */
final class StateHandler extends VolumeRequests {
  private final VolumeSettings settings;

  StateHandler(VolumeSettings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return "state";
  }

  @Override
  public Order order() {
    return Order.after("reservation", "image", "metadata");
  }

  @Override
  public String update(UpdateEvent event, Turn turn) {
    VolumePlan plan = VolumePlan.find(turn, event).orElse(null);
    if (plan == null) {
      return "";
    }
    Plans.remove(turn, event);
    if (plan instanceof VolumePlan.Make make) {
      return made(event, make, needed(make.image()), turn);
    }
    if (plan instanceof VolumePlan.Grow grow) {
      return grown(event, grow, needed(grow.image()), turn);
    }
    if (plan instanceof VolumePlan.Change change) {
      ObjectRecord changed = change.object().in(State.CREATED, turn.transaction());
      turn.txn()
          .records(
              RecordPhase.SUCCESS,
              (results, writer) -> settings.creator().markVolumeAsCreated(changed, writer));
      answer(event, turn, results -> changed);
      return "records its parameters";
    }
    if (plan instanceof VolumePlan.Remove remove) {
      return removed(event, remove, needed(remove.removal()), turn);
    }
    answer(event, turn, results -> plan.object());
    return "answers from its record";
  }

  private String made(UpdateEvent event, VolumePlan.Make make, Ref<Image> image, Turn turn) {
    ObjectRecord object = make.object();
    ObjectRecord unknown = object.in(State.UNKNOWN, object.transaction());
    Txn txn = turn.txn();
    if (make.kind() == ObjectKind.SNAPSHOT) {
      txn.records(
          RecordPhase.SUCCESS,
          (results, writer) -> {
            ObjectRecord done = complete(object, results.get(image), object.transaction());
            settings.snapshotter().markSnapshotAsCreated(done, writer);
            settings.snapshotter().addSnapshotToCluster(done, writer);
          });
      undone(
          txn,
          writer ->
              settings
                  .snapshotter()
                  .removeSnapshotFromOmap(object, new Unreserving(writer, make.kind(), object)));
      uncertain(txn, writer -> settings.snapshotter().markSnapshotAsUnknown(unknown, writer));
    } else {
      txn.records(
          RecordPhase.SUCCESS,
          (results, writer) -> {
            ObjectRecord done = complete(object, results.get(image), object.transaction());
            settings.creator().markVolumeAsCreated(done, writer);
            settings.creator().addVolumeToCluster(done, writer);
          });
      undone(
          txn,
          writer ->
              settings
                  .creator()
                  .removeVolumeFromOmap(object, new Unreserving(writer, make.kind(), object)));
      uncertain(txn, writer -> settings.creator().markVolumeAsUnknown(unknown, writer));
    }
    answer(event, turn, results -> complete(object, results.get(image), object.transaction()));
    return "records it as created";
  }

  /**
   * A growth that ends uncertain changes nothing in the record: the volume is as usable as before.
   */
  private String grown(UpdateEvent event, VolumePlan.Grow grow, Ref<Image> image, Turn turn) {
    ObjectRecord object = grow.object();
    String transaction = turn.transaction();
    turn.txn()
        .records(
            RecordPhase.SUCCESS,
            (results, writer) ->
                settings
                    .creator()
                    .markVolumeAsCreated(
                        complete(object, results.get(image), transaction), writer));
    answer(event, turn, results -> complete(object, results.get(image), transaction));
    return "records its size";
  }

  private String removed(
      UpdateEvent event, VolumePlan.Remove remove, Ref<Done> removal, Turn turn) {
    ObjectRecord object = remove.object();
    ObjectRecord unknown = object.in(State.UNKNOWN, turn.transaction());
    NameKey name = new NameKey(remove.kind(), object.name());
    boolean anothers =
        turn.loaded(name).filter(now -> !now.uuid().equals(object.uuid())).isPresent();
    UnaryOperator<RecordWriter> own = w -> anothers ? new Unreserving(w, name, name) : w;
    Txn txn = turn.txn();
    if (remove.kind() == ObjectKind.SNAPSHOT) {
      txn.records(
          RecordPhase.SUCCESS,
          (results, writer) -> {
            if (!results.get(removal).changed()) {
              settings.snapshotter().markSnapshotAsDontExistInCluster(object.name(), writer);
            }
            settings.snapshotter().removeSnapshotFromOmap(object, own.apply(writer));
          });
      uncertain(txn, writer -> settings.snapshotter().markSnapshotAsUnknown(unknown, writer));
    } else {
      txn.records(
          RecordPhase.SUCCESS,
          (results, writer) -> {
            if (!results.get(removal).changed()) {
              settings.deleter().markVolumeAsDontExistInCluster(object.name(), writer);
            }
            settings.deleter().removeVolumeFromOmap(object, own.apply(writer));
            settings.deleter().markVolumeAsDeleted(object, writer);
            settings.deleter().deleteVolumeFromCluster(object.name(), settings.cluster(), writer);
          });
      uncertain(txn, writer -> settings.deleter().markVolumeAsUnknown(unknown, writer));
    }
    answer(event, turn, results -> object);
    return "removes its records";
  }

  private interface Records {
    void write(RecordWriter writer);
  }

  private static void undone(Txn txn, Records records) {
    txn.records(RecordPhase.UNDONE, (results, writer) -> records.write(writer));
  }

  private static void uncertain(Txn txn, Records records) {
    txn.records(RecordPhase.UNCERTAIN, (results, writer) -> records.write(writer));
  }

  private static ObjectRecord complete(ObjectRecord object, Image image, String transaction) {
    return object.created(image.id(), image.size(), transaction);
  }

  private static void answer(UpdateEvent event, Turn turn, Function<Results, ObjectRecord> object) {
    if (event instanceof CreateVolume create) {
      turn.answerFrom(create, object.andThen(Answers::volume));
    } else if (event instanceof ExpandVolume expand) {
      turn.answerFrom(expand, object.andThen(Answers::volume));
    } else if (event instanceof CreateSnapshot cut) {
      turn.answerFrom(cut, object.andThen(Answers::snapshot));
    } else if (event instanceof DeleteVolume delete) {
      turn.answer(delete, new Done(true));
    } else if (event instanceof ModifyVolume modify) {
      turn.answer(modify, new Done(true));
    } else if (event instanceof DeleteSnapshot delete) {
      turn.answer(delete, new Done(true));
    }
  }

  private static <T> Ref<T> needed(Optional<Ref<T>> ref) {
    return ref.orElseThrow(
        () -> new IllegalStateException("no handler named image has run before state"));
  }
}
