package dev.evenkeel.testkit.volume;

import static dev.evenkeel.testkit.volume.FakeDisk.shown;
import static dev.evenkeel.testkit.volume.FakeDisk.temporary;

import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.VolumeNames;
import dev.evenkeel.testkit.volume.FakeActs.Target;
import java.util.List;
import java.util.Optional;

/** The fake's snapshots, restores and clones: in the many acts that a real cluster needs. */
record FakeCopies(FakeActs acts) {
  StepPlan<Image> snapshot(String from, ImageSpec spec) {
    String source = VolumeNames.check("image", from);
    String name = VolumeNames.check("image", spec.name());
    Step<Done> cut =
        acts.undoable(
            Target.of("cut-source", name, source),
            Done.class,
            d -> done(d.has(name) || d.hasSnapshot(source, name)),
            d -> cut(d, source, name),
            d -> d.dropSnapshot(source, name));
    Step<Done> copy =
        acts.undoable(
            Target.of("copy-source", name, source),
            Done.class,
            d -> done(d.has(name)),
            d -> copy(d, d.requireSnapshot(source, name), name, false),
            d -> d.images.remove(name));
    Step<Done> uncut =
        acts.undoable(
            Target.of("uncut-source", name, source),
            Done.class,
            d -> done(d.has(name) && !d.hasSnapshot(source, name)),
            d -> uncut(d, source, name),
            FakeCopies::nothing);
    Step<Image> seal =
        acts.undoable(
            Target.of("seal-snapshot", name),
            Image.class,
            d -> d.find(name).filter(i -> i.snapshots.containsKey(name)).map(FakeDisk::shown),
            d -> {
              FakeImage image = d.require(name);
              image.snapshots.put(name, image.cut());
              return shown(image);
            },
            d -> d.dropSnapshot(name, name));
    return new StepPlan<>(List.of(cut, copy, uncut), seal);
  }

  StepPlan<Image> restore(String from, ImageSpec spec) {
    String source = VolumeNames.check("image", from);
    String name = VolumeNames.check("image", spec.name());
    Step<Done> copy =
        acts.undoable(
            Target.of("restore-image", name, source),
            Done.class,
            d -> done(d.has(name)),
            d -> {
              FakeImage.Cut cut = d.requireSnapshot(source, source);
              FakeImage image = FakeImage.of(name, cut, false);
              image.metadata.putAll(d.require(source).metadata);
              image.inherits = true;
              d.images.put(name, image);
              return new Done(true);
            },
            d -> d.images.remove(name));
    Step<Done> strip =
        acts.undoable(
            Target.of("strip-metadata", name),
            Done.class,
            d -> done(d.find(name).filter(i -> !i.inherits).isPresent()),
            d -> {
              FakeImage image = d.require(name);
              image.metadata.clear();
              image.inherits = false;
              return new Done(true);
            },
            FakeCopies::nothing);
    return new StepPlan<>(List.of(copy, strip), grow(name, spec.size()));
  }

  StepPlan<Image> cloneImage(String from, ImageSpec spec) {
    String source = VolumeNames.check("image", from);
    String name = VolumeNames.check("image", spec.name());
    String between = temporary(name);
    Step<Done> cut =
        acts.undoable(
            Target.of("cut-parent", name, source),
            Done.class,
            d -> done(d.has(between) || d.has(name) || d.hasSnapshot(source, between)),
            d -> cut(d, source, between),
            d -> d.dropSnapshot(source, between));
    Step<Done> copy =
        acts.undoable(
            Target.of("copy-parent", name, source),
            Done.class,
            d -> done(d.has(between) || d.has(name)),
            d -> copy(d, d.requireSnapshot(source, between), between, true),
            d -> d.images.remove(between));
    Step<Done> uncut =
        acts.undoable(
            Target.of("uncut-parent", name, source),
            Done.class,
            d -> done((d.has(between) || d.has(name)) && !d.hasSnapshot(source, between)),
            d -> uncut(d, source, between),
            FakeCopies::nothing);
    Step<Done> cutBetween =
        acts.undoable(
            Target.of("cut-temporary", name),
            Done.class,
            d -> done(d.has(name) || d.hasSnapshot(between, name)),
            d -> cut(d, between, name),
            d -> d.dropSnapshot(between, name));
    Step<Done> copyBetween =
        acts.undoable(
            Target.of("clone-image", name),
            Done.class,
            d -> done(d.has(name)),
            d -> copy(d, d.requireSnapshot(between, name), name, false),
            d -> d.images.remove(name));
    Step<Done> uncutBetween =
        acts.undoable(
            Target.of("uncut-temporary", name),
            Done.class,
            d -> done(d.has(name) && !d.hasSnapshot(between, name)),
            d -> uncut(d, between, name),
            FakeCopies::nothing);
    return new StepPlan<>(
        List.of(cut, copy, uncut, cutBetween, copyBetween, uncutBetween), grow(name, spec.size()));
  }

  /** Undone with the act before it. */
  static void nothing(FakeDisk d) {}

  private static Optional<Done> done(boolean so) {
    return so ? Optional.of(new Done(true)) : Optional.empty();
  }

  private static Done cut(FakeDisk d, String image, String snapshot) {
    FakeImage source = d.require(image);
    source.snapshots.put(snapshot, source.cut());
    return new Done(true);
  }

  static Done uncut(FakeDisk d, String image, String snapshot) {
    d.dropSnapshot(image, snapshot);
    return new Done(true);
  }

  private static Done copy(FakeDisk d, FakeImage.Cut cut, String name, boolean temporary) {
    d.images.put(name, FakeImage.of(name, cut, temporary));
    return new Done(true);
  }

  private Step<Image> grow(String name, long size) {
    return acts.undoable(
        Target.of("grow-image", name),
        Image.class,
        d -> d.find(name).filter(i -> i.size >= size).map(FakeDisk::shown),
        d -> FakeBackend.grown(d.require(name), size),
        FakeCopies::nothing);
  }
}
