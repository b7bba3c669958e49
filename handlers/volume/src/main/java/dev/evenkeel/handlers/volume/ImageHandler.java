package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.api.volume.VolumeNames;
import dev.evenkeel.api.volume.VolumeSource;
import java.util.Optional;

/** Adds the backend's acts for what has been decided. */
final class ImageHandler extends VolumeRequests {
  private final VolumeBackend backend;

  ImageHandler(VolumeBackend backend) {
    this.backend = backend;
  }

  @Override
  public String name() {
    return "image";
  }

  @Override
  public Order order() {
    return Order.after("reservation").before("metadata", "state");
  }

  @Override
  public String update(UpdateEvent event, Turn turn) {
    VolumePlan plan = VolumePlan.find(turn, event).orElse(null);
    if (plan instanceof VolumePlan.Make make) {
      return make(event, make, turn);
    }
    if (plan instanceof VolumePlan.Grow grow) {
      VolumeBackend.Expansion expansion = able(backend.expansion(), "let volumes grow");
      Ref<Image> image = turn.txn().step(expansion.expand(grow.object().image(), grow.size()));
      Plans.put(
          turn,
          event,
          new VolumePlan.Grow(grow.kind(), grow.object(), grow.size(), Optional.of(image)));
      return "grows its image";
    }
    if (plan instanceof VolumePlan.Change change) {
      Ref<Done> unused =
          turn.txn()
              .step(
                  able(backend.modification(), "change parameters")
                      .modify(change.object().image(), change.parameters()));
      return "changes its parameters";
    }
    if (plan instanceof VolumePlan.Remove remove) {
      return remove(event, remove, turn);
    }
    return "";
  }

  private String make(UpdateEvent event, VolumePlan.Make make, Turn turn) {
    ImageSpec spec =
        new ImageSpec(
            make.object().image(),
            make.size(),
            VolumeNames.parameters(make.object().parameters(), false));
    Ref<Image> image = acts(make, spec).addTo(turn.txn());
    if (event instanceof CreateVolume create
        && create.size().limit() > 0
        && turn.found() instanceof Found.Interrupted) {
      Ref<Done> unused = turn.txn().step(checkSize(create, image));
    }
    Plans.put(
        turn,
        event,
        new VolumePlan.Make(
            make.kind(), make.object(), make.size(), make.origin(), Optional.of(image)));
    return "makes its image";
  }

  private StepPlan<Image> acts(VolumePlan.Make make, ImageSpec spec) {
    if (make.origin().isEmpty()) {
      return backend.create(spec);
    }
    VolumePlan.Origin origin = make.origin().get();
    if (make.kind() == ObjectKind.SNAPSHOT) {
      return able(backend.snapshots(), "make snapshots").snapshot(origin.image(), spec);
    }
    return origin.kind() == VolumeSource.Kind.SNAPSHOT
        ? able(backend.snapshots(), "make volumes of snapshots").restore(origin.image(), spec)
        : able(backend.cloning(), "make volumes of volumes").cloneImage(origin.image(), spec);
  }

  private String remove(UpdateEvent event, VolumePlan.Remove remove, Turn turn) {
    String image = remove.object().image();
    StepPlan<Done> acts =
        remove.kind() == ObjectKind.SNAPSHOT
            ? able(backend.snapshots(), "remove snapshots").deleteSnapshot(image)
            : backend.delete(image);
    Ref<Done> unused = turn.txn().step(checkUnused(image, remove.object().name()));
    Ref<Done> removal = acts.addTo(turn.txn());
    Plans.put(
        turn, event, new VolumePlan.Remove(remove.kind(), remove.object(), Optional.of(removal)));
    return "removes its image";
  }

  /** First, and undoable, so that a refusal leaves everything as it was. */
  private Step<Done> checkUnused(String image, String name) {
    return Steps.step("check-unused:" + image, Done.class)
        .apply(
            context -> {
              if (backend.inUse(image)) {
                throw new EvenkeelException(
                    ErrorKind.FAILED_PRECONDITION, name + " is in use: nothing was removed");
              }
              return new Done(false);
            })
        .undo((context, done) -> {});
  }

  /**
   * An interrupted attempt may have wanted more: then it is undone, and the next one starts anew.
   */
  private static Step<Done> checkSize(CreateVolume create, Ref<Image> image) {
    return Steps.step("check-size:" + create.name(), Done.class)
        .apply(
            context -> {
              Sizes.compare("volume " + create.name(), create.size(), context.get(image).size());
              return new Done(false);
            })
        .undo((context, done) -> {});
  }

  private <A> A able(Optional<A> ability, String what) {
    return able(backend, ability, what);
  }

  static <A> A able(VolumeBackend backend, Optional<A> ability, String what) {
    return ability.orElseThrow(
        () ->
            new EvenkeelException(
                ErrorKind.UNIMPLEMENTED, "the backend " + backend.name() + " cannot " + what));
  }
}
