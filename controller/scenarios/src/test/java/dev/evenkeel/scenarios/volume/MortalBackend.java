package dev.evenkeel.scenarios.volume;

import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.MountSpec;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.Usage;
import dev.evenkeel.api.volume.VolumeBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/** A backend whose process can die around each act. */
record MortalBackend(VolumeBackend inner, Life life) implements VolumeBackend {
  private <T> StepPlan<T> mortal(StepPlan<T> plan) {
    List<Step<?>> before = new ArrayList<>();
    plan.before().forEach(step -> before.add(mortal(step)));
    return new StepPlan<>(before, mortal(plan.last()));
  }

  private <T> Step<T> mortal(Step<T> step) {
    return new MortalStep<>(step, life);
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public long defaultSize() {
    return inner.defaultSize();
  }

  @Override
  public long roundUp(long bytes) {
    return inner.roundUp(bytes);
  }

  @Override
  public void checkParameters(SortedMap<String, String> parameters) {
    inner.checkParameters(parameters);
  }

  @Override
  public StepPlan<Image> create(ImageSpec spec) {
    return mortal(inner.create(spec));
  }

  @Override
  public StepPlan<Done> delete(String image) {
    return mortal(inner.delete(image));
  }

  @Override
  public Step<Done> writeMetadata(String image, SortedMap<String, String> metadata) {
    return mortal(inner.writeMetadata(image, metadata));
  }

  @Override
  public Optional<Image> find(String image) throws Exception {
    life.look();
    return inner.find(image);
  }

  @Override
  public SortedMap<String, String> metadata(String image) throws Exception {
    life.look();
    return inner.metadata(image);
  }

  @Override
  public List<Image> images() throws Exception {
    return inner.images();
  }

  @Override
  public List<Leftover> leftovers() throws Exception {
    return inner.leftovers();
  }

  @Override
  public boolean inUse(String image) throws Exception {
    life.look();
    return inner.inUse(image);
  }

  @Override
  public OptionalLong available() throws Exception {
    return inner.available();
  }

  @Override
  public Optional<Snapshots> snapshots() {
    return inner.snapshots().map(s -> new MortalSnapshots(s, this));
  }

  @Override
  public Optional<Cloning> cloning() {
    return inner.cloning().map(c -> (source, target) -> mortal(c.cloneImage(source, target)));
  }

  @Override
  public Optional<Expansion> expansion() {
    return inner.expansion().map(e -> (image, size) -> mortal(e.expand(image, size)));
  }

  @Override
  public Optional<Attachment> attachment() {
    return inner.attachment().map(a -> new MortalAttachment(a, this));
  }

  @Override
  public Optional<Mounting> mounting() {
    return inner.mounting().map(m -> new MortalMounting(m, this));
  }

  @Override
  public Optional<Modification> modification() {
    return inner.modification().map(m -> new MortalModification(m, this));
  }

  @Override
  public void close() {
    // Outlives the process.
  }

  private record MortalSnapshots(Snapshots inner, MortalBackend backend) implements Snapshots {
    @Override
    public StepPlan<Image> snapshot(String source, ImageSpec snapshot) {
      return backend.mortal(inner.snapshot(source, snapshot));
    }

    @Override
    public StepPlan<Image> restore(String snapshot, ImageSpec target) {
      return backend.mortal(inner.restore(snapshot, target));
    }

    @Override
    public StepPlan<Done> deleteSnapshot(String snapshot) {
      return backend.mortal(inner.deleteSnapshot(snapshot));
    }
  }

  private record MortalAttachment(Attachment inner, MortalBackend backend) implements Attachment {
    @Override
    public StepPlan<Done> attach(String image, String node, boolean readOnly) {
      return backend.mortal(inner.attach(image, node, readOnly));
    }

    @Override
    public StepPlan<Done> detach(String image, String node) {
      return backend.mortal(inner.detach(image, node));
    }
  }

  private record MortalModification(Modification inner, MortalBackend backend)
      implements Modification {
    @Override
    public void checkMutable(SortedMap<String, String> parameters) {
      inner.checkMutable(parameters);
    }

    @Override
    public Step<Done> modify(String image, SortedMap<String, String> parameters) {
      return backend.mortal(inner.modify(image, parameters));
    }
  }

  private record MortalMounting(Mounting inner, MortalBackend backend) implements Mounting {
    @Override
    public StepPlan<String> map(String image, MountSpec mount) {
      return backend.mortal(inner.map(image, mount));
    }

    @Override
    public StepPlan<Done> unmap(String image) {
      return backend.mortal(inner.unmap(image));
    }

    @Override
    public StepPlan<Done> mount(String image, String path, MountSpec mount) {
      return backend.mortal(inner.mount(image, path, mount));
    }

    @Override
    public StepPlan<Done> bind(String path, String target, MountSpec mount) {
      return backend.mortal(inner.bind(path, target, mount));
    }

    @Override
    public StepPlan<Done> unmount(String path) {
      return backend.mortal(inner.unmount(path));
    }

    @Override
    public Step<Long> growFileSystem(String image, String path) {
      return backend.mortal(inner.growFileSystem(image, path));
    }

    @Override
    public boolean isMounted(String path) throws Exception {
      backend.life().look();
      return inner.isMounted(path);
    }

    @Override
    public Usage usage(String path) throws Exception {
      return inner.usage(path);
    }
  }

  private record MortalStep<T>(Step<T> step, Life life) implements Step<T> {
    private String point(String what) {
      return what + " " + Life.verb(step.name());
    }

    @Override
    public String name() {
      return step.name();
    }

    @Override
    public Class<T> resultType() {
      return step.resultType();
    }

    @Override
    public Probe<T> probe(StepContext context) throws Exception {
      life.look(point("probe"));
      return step.probe(context);
    }

    @Override
    public T apply(StepContext context) throws Exception {
      life.point(point("before"));
      T done = step.apply(context);
      life.point(point("after"));
      return done;
    }

    @Override
    public void undo(StepContext context, T done) throws Exception {
      life.point(point("before undoing"));
      step.undo(context, done);
      life.point(point("after undoing"));
    }

    @Override
    public void undoPartial(StepContext context) throws Exception {
      life.point(point("before undoing a part of"));
      step.undoPartial(context);
      life.point(point("after undoing a part of"));
    }

    @Override
    public boolean undoable() {
      return step.undoable();
    }

    @Override
    public Optional<Duration> limit() {
      return step.limit();
    }
  }
}
