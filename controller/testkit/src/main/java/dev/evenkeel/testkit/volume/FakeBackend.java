package dev.evenkeel.testkit.volume;

import static dev.evenkeel.testkit.volume.FakeDisk.shown;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.api.volume.VolumeNames;
import dev.evenkeel.testkit.volume.FakeActs.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A backend in memory, for tests of controllers and handlers. It makes clones and snapshots in as
 * many acts as a real cluster needs (operations reference, 4.3 to 4.6), so that every stage can be
 * interrupted; {@link #faults} says where. Any thread.
 *
 * <p>Acts are named {@code verb:image}: {@code create-image}; {@code remove-temporary}, {@code
 * trash-image}, {@code purge-image}; {@code cut-source}, {@code copy-source}, {@code uncut-source},
 * {@code seal-snapshot}; {@code restore-image}, {@code strip-metadata}, {@code grow-image}; {@code
 * cut-parent}, {@code copy-parent}, {@code uncut-parent}, {@code cut-temporary}, {@code
 * clone-image}, {@code uncut-temporary}; {@code unseal-snapshot}; {@code expand-image}; {@code
 * write-metadata}, {@code modify-image}; {@code attach}, {@code detach}; {@code map-device}, {@code
 * make-path}, {@code format-device}, {@code mount-device}, {@code grow-fs}, {@code bind}, {@code
 * unmount}, {@code remove-path}, {@code unmap-device}. There is one node.
 */
public final class FakeBackend
    implements VolumeBackend,
        VolumeBackend.Snapshots,
        VolumeBackend.Cloning,
        VolumeBackend.Expansion,
        VolumeBackend.Modification,
        VolumeBackend.Fencing {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final long LARGEST = 1L << 50;

  private final FakeDisk disk;
  private final FaultPoints faults;
  private final Occupancy occupancy;
  private final List<String> calls;
  private final FakeActs acts;
  private final FakeCopies copies;
  private final FakeNode node;

  private FakeBackend(FakeDisk disk, FaultPoints faults, Occupancy occupancy, List<String> calls) {
    this.disk = disk;
    this.faults = faults;
    this.occupancy = occupancy;
    this.calls = calls;
    acts = new FakeActs(disk, faults, occupancy, calls);
    copies = new FakeCopies(acts);
    node = new FakeNode(acts);
  }

  /** An empty one. */
  public static FakeBackend create() {
    return new FakeBackend(new FakeDisk(), new FaultPoints(), new Occupancy(), new ArrayList<>());
  }

  /** The same images as a new process finds them; this one is dead from now on. */
  public FakeBackend reopen() {
    return new FakeBackend(disk, faults, occupancy, calls);
  }

  /** Where it fails, hangs and crashes; shared by all that were reopened from one. */
  public FaultPoints faults() {
    return faults;
  }

  /** Every call so far: {@code apply create-image:csi-vol-…}. */
  public List<String> calls() {
    return acts.calls();
  }

  /** How often two calls worked on one image at once; must stay empty. */
  public List<String> violations() {
    return occupancy.violations();
  }

  /** Everything that is there, as text: equal for equal states. */
  public String describe() {
    synchronized (disk) {
      return disk.describe();
    }
  }

  /** Replaces what an image holds, as its user would. */
  public void fill(String image, String text) {
    synchronized (disk) {
      disk.require(image).content = text;
    }
  }

  /** What an image holds. */
  public String content(String image) {
    synchronized (disk) {
      return disk.require(image).content;
    }
  }

  /** Says whether somebody uses an image. */
  public void use(String image, boolean used) {
    synchronized (disk) {
      disk.require(image).used = used;
    }
  }

  /** How often a file system was made on an image. */
  public int formats(String image) {
    synchronized (disk) {
      return disk.require(image).formats;
    }
  }

  /** The bytes of an image's file system; 0 when it has none. */
  public long fileSystem(String image) {
    synchronized (disk) {
      return disk.require(image).fileSystem;
    }
  }

  /** Takes what a restart of the node takes: mounts and mappings. */
  public void restartNode() {
    synchronized (disk) {
      disk.mounts.clear();
      disk.mapped.clear();
    }
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public long defaultSize() {
    return GIB;
  }

  @Override
  public long roundUp(long bytes) {
    if (bytes > LARGEST) {
      throw new EvenkeelException(ErrorKind.OUT_OF_RANGE, "at most " + LARGEST + " bytes");
    }
    long unit = bytes < GIB ? MIB : GIB;
    return Math.max(1, (bytes + unit - 1) / unit) * unit;
  }

  /** Knows {@code pool} and {@code tier}, with any value. */
  @Override
  public void checkParameters(SortedMap<String, String> parameters) {
    List<InvalidInputException.Fault> faultsFound =
        parameters.keySet().stream()
            .filter(name -> !name.equals("pool") && !name.equals("tier"))
            .map(name -> new InvalidInputException.Fault(name, "", "is not known"))
            .toList();
    if (!faultsFound.isEmpty()) {
      throw new InvalidInputException("parameters", faultsFound);
    }
  }

  @Override
  public StepPlan<Image> create(ImageSpec spec) {
    String name = VolumeNames.check("image", spec.name());
    return StepPlan.of(
        acts.undoable(
            Target.of("create-image", name),
            Image.class,
            d -> d.find(name).filter(i -> i.size >= spec.size()).map(FakeDisk::shown),
            d -> grown(d.images.computeIfAbsent(name, n -> blank(n)), spec.size()),
            d -> d.images.remove(name)));
  }

  private static FakeImage blank(String name) {
    return new FakeImage(name, 0, false);
  }

  static Image grown(FakeImage image, long size) {
    image.size = Math.max(image.size, size);
    return shown(image);
  }

  @Override
  public StepPlan<Done> delete(String image) {
    String name = VolumeNames.check("image", image);
    return new StepPlan<>(List.of(removeTemporary(name), trash(name)), purge(name));
  }

  private Step<Done> removeTemporary(String name) {
    return acts.forward(
        Target.of("remove-temporary", name),
        Done.class,
        d -> gone(d, name),
        d -> {
          boolean there = d.hasStrays(name);
          d.dropStrays(name);
          return new Done(there);
        });
  }

  private Step<Done> trash(String name) {
    return acts.forward(
        Target.of("trash-image", name),
        Done.class,
        d -> d.has(name) ? Optional.empty() : Optional.of(new Done(d.trash.containsKey(name))),
        d -> {
          FakeImage moved = d.images.remove(name);
          if (moved != null) {
            d.trash.put(name, moved);
          }
          return new Done(moved != null);
        });
  }

  private Step<Done> purge(String name) {
    return acts.forward(
        Target.of("purge-image", name),
        Done.class,
        d -> gone(d, name),
        d -> new Done(d.trash.remove(name) != null));
  }

  /** A removal counts as done only when nothing is left anywhere. */
  private static Optional<Done> gone(FakeDisk d, String name) {
    return d.has(name) || d.trash.containsKey(name) || d.hasStrays(name)
        ? Optional.empty()
        : Optional.of(new Done(false));
  }

  @Override
  public StepPlan<Image> snapshot(String source, ImageSpec snapshot) {
    return copies.snapshot(source, snapshot);
  }

  @Override
  public StepPlan<Image> restore(String snapshot, ImageSpec target) {
    return copies.restore(snapshot, target);
  }

  @Override
  public StepPlan<Image> cloneImage(String source, ImageSpec target) {
    return copies.cloneImage(source, target);
  }

  @Override
  public StepPlan<Done> deleteSnapshot(String snapshot) {
    String name = VolumeNames.check("image", snapshot);
    Step<Done> unseal =
        acts.forward(
            Target.of("unseal-snapshot", name),
            Done.class,
            d -> gone(d, name),
            d -> FakeCopies.uncut(d, name, name));
    return new StepPlan<>(List.of(unseal, removeTemporary(name), trash(name)), purge(name));
  }

  @Override
  public Step<Image> expand(String image, long size) {
    String name = VolumeNames.check("image", image);
    return acts.forward(
        Target.of("expand-image", name),
        Image.class,
        d -> d.find(name).filter(i -> i.size >= size).map(FakeDisk::shown),
        d -> grown(d.require(name), size));
  }

  @Override
  public Step<Done> writeMetadata(String image, SortedMap<String, String> metadata) {
    String name = VolumeNames.check("image", image);
    SortedMap<String, String> wanted = new TreeMap<>(metadata);
    return acts.undoable(
        Target.of("write-metadata", name),
        Done.class,
        d -> d.find(name).filter(i -> i.metadata.equals(wanted)).map(i -> new Done(false)),
        d -> {
          FakeImage found = d.require(name);
          found.metadata.clear();
          found.metadata.putAll(wanted);
          return new Done(true);
        },
        FakeCopies::nothing);
  }

  @Override
  public Optional<Image> find(String image) throws InterruptedException {
    return acts.ask("find", image, d -> d.find(image).map(FakeDisk::shown));
  }

  @Override
  public SortedMap<String, String> metadata(String image) throws InterruptedException {
    return acts.ask("metadata", image, d -> new TreeMap<>(d.require(image).metadata));
  }

  @Override
  public List<Image> images() throws InterruptedException {
    return acts.ask("images", "", FakeDisk::listed);
  }

  @Override
  public List<Leftover> leftovers() throws InterruptedException {
    return acts.ask("leftovers", "", FakeDisk::leftovers);
  }

  @Override
  public boolean inUse(String image) throws InterruptedException {
    return acts.ask(
        "in-use",
        image,
        d -> d.find(image).filter(i -> i.used || d.mapped.contains(image)).isPresent());
  }

  @Override
  public OptionalLong available() {
    return OptionalLong.of(LARGEST);
  }

  @Override
  public void fence(Epoch epoch) throws InterruptedException {
    Epoch unused =
        acts.ask(
            "fence",
            "",
            d -> {
              d.fence = epoch.compareTo(d.fence) > 0 ? epoch : d.fence;
              return d.fence;
            });
  }

  @Override
  public Optional<Snapshots> snapshots() {
    return Optional.of(this);
  }

  @Override
  public Optional<Cloning> cloning() {
    return Optional.of(this);
  }

  @Override
  public Optional<Expansion> expansion() {
    return Optional.of(this);
  }

  @Override
  public Optional<Attachment> attachment() {
    return Optional.of(node);
  }

  @Override
  public Optional<Mounting> mounting() {
    return Optional.of(node);
  }

  @Override
  public Optional<Modification> modification() {
    return Optional.of(this);
  }

  /** Knows {@code iops}, a positive number. */
  @Override
  public void checkMutable(SortedMap<String, String> parameters) {
    List<InvalidInputException.Fault> wrong =
        parameters.entrySet().stream()
            .filter(e -> !e.getKey().equals("iops") || !e.getValue().matches("[1-9][0-9]{0,8}"))
            .map(e -> new InvalidInputException.Fault(e.getKey(), "", "must be a positive iops"))
            .toList();
    if (!wrong.isEmpty()) {
      throw new InvalidInputException("mutable parameters", wrong);
    }
  }

  @Override
  public Step<Done> modify(String image, SortedMap<String, String> parameters) {
    String name = VolumeNames.check("image", image);
    SortedMap<String, String> wanted = new TreeMap<>(parameters);
    return acts.forward(
        Target.of("modify-image", name),
        Done.class,
        d ->
            d.find(name)
                .filter(i -> i.mutable.entrySet().containsAll(wanted.entrySet()))
                .map(i -> new Done(false)),
        d -> {
          d.require(name).mutable.putAll(wanted);
          return new Done(true);
        });
  }

  @Override
  public Optional<Fencing> fencing() {
    return Optional.of(this);
  }

  @Override
  public void close() {
    acts.close();
  }
}
