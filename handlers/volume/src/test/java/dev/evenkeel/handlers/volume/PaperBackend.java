package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.VolumeBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** A backend whose acts have telling names and are never run. */
final class PaperBackend
    implements VolumeBackend,
        VolumeBackend.Snapshots,
        VolumeBackend.Cloning,
        VolumeBackend.Expansion {
  static final long MIB = 1L << 20;

  boolean able = true;
  boolean used;
  final List<SortedMap<String, String>> metadata = new ArrayList<>();

  private static StepPlan<Image> image(String what) {
    return StepPlan.of(step(what, Image.class));
  }

  private static <T> Step<T> step(String what, Class<T> type) {
    return Steps.step(what, type)
        .apply(
            context -> {
              throw new AssertionError("never run");
            })
        .forwardOnly();
  }

  @Override
  public String name() {
    return "paper";
  }

  @Override
  public long defaultSize() {
    return 10 * MIB;
  }

  @Override
  public long roundUp(long bytes) {
    if (bytes > 1000 * MIB) {
      throw new EvenkeelException(ErrorKind.OUT_OF_RANGE, "too large");
    }
    return Math.max(1, (bytes + MIB - 1) / MIB) * MIB;
  }

  @Override
  public void checkParameters(SortedMap<String, String> parameters) {
    if (parameters.containsKey("wrong")) {
      throw InvalidInputException.of("parameters", "wrong", "", "is wrong");
    }
  }

  @Override
  public StepPlan<Image> create(ImageSpec spec) {
    return image("create " + spec.name() + " " + spec.size() + " " + spec.parameters());
  }

  @Override
  public StepPlan<Done> delete(String image) {
    return new StepPlan<>(
        List.of(step("trash " + image, Done.class)), step("purge " + image, Done.class));
  }

  @Override
  public StepPlan<Image> snapshot(String source, ImageSpec snapshot) {
    return image("snapshot " + source + " to " + snapshot.name() + " " + snapshot.size());
  }

  @Override
  public StepPlan<Image> restore(String snapshot, ImageSpec target) {
    return image("restore " + snapshot + " to " + target.name() + " " + target.size());
  }

  @Override
  public StepPlan<Done> deleteSnapshot(String snapshot) {
    return StepPlan.of(step("unsnapshot " + snapshot, Done.class));
  }

  @Override
  public StepPlan<Image> cloneImage(String source, ImageSpec target) {
    return image("clone " + source + " to " + target.name() + " " + target.size());
  }

  @Override
  public Step<Image> expand(String image, long size) {
    return step("expand " + image + " " + size, Image.class);
  }

  @Override
  public Step<Done> writeMetadata(String image, SortedMap<String, String> values) {
    metadata.add(values);
    return step("metadata " + image, Done.class);
  }

  @Override
  public Optional<Image> find(String image) {
    return Optional.empty();
  }

  @Override
  public SortedMap<String, String> metadata(String image) {
    return new TreeMap<>();
  }

  @Override
  public List<Image> images() {
    return List.of();
  }

  @Override
  public List<Leftover> leftovers() {
    return List.of();
  }

  @Override
  public boolean inUse(String image) {
    return used;
  }

  @Override
  public OptionalLong available() {
    return OptionalLong.empty();
  }

  @Override
  public Optional<Snapshots> snapshots() {
    return able ? Optional.of(this) : Optional.empty();
  }

  @Override
  public Optional<Cloning> cloning() {
    return able ? Optional.of(this) : Optional.empty();
  }

  @Override
  public Optional<Expansion> expansion() {
    return able ? Optional.of(this) : Optional.empty();
  }

  @Override
  public void close() {}
}
