package dev.evenkeel.hostpath;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.VolumeBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * Volumes as directories or sparse files below a root on the local file system, for trying things
 * out, for tests, and for single nodes. What it cannot promise is told by {@link #limits}.
 *
 * <p>A step's name is its verb, a colon, and the image's name. Errors: a full disk is {@code
 * RESOURCE_EXHAUSTED}, a missing image or source {@code NOT_FOUND}, a refused permission {@code
 * UNAUTHORIZED}, a file that the file system cannot hold {@code OUT_OF_RANGE}.
 */
public final class HostpathBackend
    implements VolumeBackend,
        VolumeBackend.Snapshots,
        VolumeBackend.Cloning,
        VolumeBackend.Expansion,
        VolumeBackend.Modification {
  private static final String KIND = "kind";
  private static final String IOPS = "iops";
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final long LARGEST = 1L << 62;

  private final Layout layout;
  private final HostpathOptions options;
  private final ImageStore images;
  private final Copiers copiers;
  private final HostpathActs acts;
  private final Uses uses;
  private final HostpathNode node;

  private HostpathBackend(Layout layout, HostpathOptions options, Copiers copiers) {
    this.layout = layout;
    this.options = options;
    this.copiers = copiers;
    images = new ImageStore(layout);
    acts = new HostpathActs(layout, images, copiers);
    uses = Uses.ofThisMachine();
    node = new HostpathNode(layout, images, acts, uses);
  }

  /** Opens a root with the default options; see {@link #open(Path, HostpathOptions)}. */
  public static HostpathBackend open(Path root) {
    return open(root, HostpathOptions.defaults());
  }

  /**
   * Opens a root, and makes it when it is absent. Blocks. One process at a time may use a root; the
   * caller sees to that.
   *
   * @throws EvenkeelException {@code UNAUTHORIZED} when it may not be written, {@code
   *     FAILED_PRECONDITION} when it holds things that are not ours or is of another version,
   *     {@code INTERNAL} for what else goes wrong
   */
  public static HostpathBackend open(Path root, HostpathOptions options) {
    Layout layout = Layout.open(root, options.durable());
    try {
      return new HostpathBackend(layout, options, Copiers.in(layout.tmp, options.durable()));
    } catch (IOException e) {
      throw Errors.of("cannot use " + root + " for volumes", e);
    }
  }

  /** What is not promised, and how copies are made; for people. */
  public String limits() {
    return String.join(
        "\n",
        "Snapshots and clones " + copiers.describe() + ".",
        "The size of a directory is recorded and reported; no quota holds its writers to it.",
        "A file has exactly its size, and takes up only what was written to it.",
        "A copy made while somebody writes may mix old and new.",
        "A full copy of a directory keeps permissions, times and owners; not hard links, set-id bits"
            + " or extended attributes; devices, pipes and sockets are refused.",
        "A volume counts as in use when it is mounted in this process's mount name space, or"
            + " behind a loop device.");
  }

  @Override
  public String name() {
    return "hostpath";
  }

  @Override
  public long defaultSize() {
    return options.defaultSize();
  }

  @Override
  public long roundUp(long bytes) {
    if (bytes > LARGEST) {
      throw new EvenkeelException(
          ErrorKind.OUT_OF_RANGE, bytes + " bytes are more than the largest size, " + LARGEST);
    }
    long unit = bytes < GIB ? MIB : GIB;
    return Math.max(1, Math.floorDiv(bytes + unit - 1, unit)) * unit;
  }

  @Override
  public void checkParameters(SortedMap<String, String> parameters) {
    List<InvalidInputException.Fault> faults = new ArrayList<>();
    parameters.forEach(
        (name, value) -> {
          if (!name.equals(KIND)) {
            faults.add(new InvalidInputException.Fault(name, "", "is not known; known is " + KIND));
          } else if (VolumeForm.find(value).isEmpty()) {
            faults.add(
                new InvalidInputException.Fault(KIND, shown(value), "must be directory or file"));
          }
        });
    if (!faults.isEmpty()) {
      throw new InvalidInputException("parameters", faults);
    }
  }

  @Override
  public StepPlan<Image> create(ImageSpec spec) {
    VolumeForm form =
        Optional.ofNullable(spec.parameters().get(KIND))
            .map(VolumeForm::parse)
            .orElse(options.defaultForm());
    return acts.create(spec, form);
  }

  @Override
  public StepPlan<Image> snapshot(String source, ImageSpec snapshot) {
    return acts.copying("snapshot-image", source, snapshot);
  }

  @Override
  public StepPlan<Image> restore(String snapshot, ImageSpec target) {
    return acts.copying("restore-image", snapshot, target);
  }

  @Override
  public StepPlan<Image> cloneImage(String source, ImageSpec target) {
    return acts.copying("clone-image", source, target);
  }

  @Override
  public StepPlan<Done> delete(String image) {
    return acts.delete(image);
  }

  @Override
  public StepPlan<Done> deleteSnapshot(String snapshot) {
    return delete(snapshot);
  }

  @Override
  public Step<Image> expand(String image, long size) {
    return acts.expand(image, size);
  }

  @Override
  public Step<Done> writeMetadata(String image, SortedMap<String, String> metadata) {
    return acts.writeMetadata(image, metadata);
  }

  @Override
  public Optional<Image> find(String image) {
    return acts.guarded("look at", image, () -> images.find(image));
  }

  @Override
  public SortedMap<String, String> metadata(String image) {
    return acts.guarded("read metadata of", image, () -> images.metadata(image));
  }

  @Override
  public List<Image> images() {
    return acts.guarded("list", "images", images::all);
  }

  @Override
  public List<Leftover> leftovers() {
    return acts.guarded("list", "leftovers", images::leftovers);
  }

  @Override
  public boolean inUse(String image) {
    return acts.guarded("look at", image, () -> uses.of(layout.image(image)));
  }

  @Override
  public OptionalLong available() {
    return acts.guarded(
        "ask the space of",
        layout.root.toString(),
        () -> OptionalLong.of(Files.getFileStore(layout.root).getUsableSpace()));
  }

  /** Where the data of an image are: a directory or a file, for those who mount or inspect it. */
  public Path dataPath(String image) {
    return layout.image(image).resolve(Layout.DATA);
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
  public Optional<Mounting> mounting() {
    return Optional.of(node);
  }

  @Override
  public Optional<Modification> modification() {
    return Optional.of(this);
  }

  /** Knows {@code iops}, a positive whole number; it is recorded and reported, not enforced. */
  @Override
  public void checkMutable(SortedMap<String, String> parameters) {
    List<InvalidInputException.Fault> faults = new ArrayList<>();
    parameters.forEach(
        (name, value) -> {
          if (!name.equals(IOPS)) {
            faults.add(new InvalidInputException.Fault(name, "", "is not known; known is " + IOPS));
          } else if (!value.matches("[1-9][0-9]{0,8}")) {
            faults.add(
                new InvalidInputException.Fault(IOPS, shown(value), "must be 1 to 999999999"));
          }
        });
    if (!faults.isEmpty()) {
      throw new InvalidInputException("mutable parameters", faults);
    }
  }

  @Override
  public Step<Done> modify(String image, SortedMap<String, String> parameters) {
    return acts.modify(image, parameters);
  }

  @Override
  public void close() {
    acts.close();
  }

  private static String shown(String value) {
    return value.length() <= 40 ? value : value.substring(0, 40) + "…";
  }
}
