package dev.evenkeel.hostpath;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.Steps;
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
import java.util.TreeMap;

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
        VolumeBackend.Expansion {
  private static final String KIND = "kind";
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final long LARGEST = 1L << 62;

  private final Layout layout;
  private final HostpathOptions options;
  private final ImageStore images;
  private final Copiers copiers;
  private final Uses uses;
  private volatile boolean closed;

  private HostpathBackend(Layout layout, HostpathOptions options, Copiers copiers) {
    this.layout = layout;
    this.options = options;
    this.copiers = copiers;
    images = new ImageStore(layout);
    uses = Uses.ofThisMachine();
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
    return StepPlan.of(
        making(
            "create-image",
            spec,
            (data, context) -> {
              if (form == VolumeForm.DIRECTORY) {
                Files.createDirectory(data);
              } else {
                Files.createFile(data);
              }
              return new ImageStore.Filled(form, 0);
            }));
  }

  @Override
  public StepPlan<Image> snapshot(String source, ImageSpec snapshot) {
    return copying("snapshot-image", source, snapshot);
  }

  @Override
  public StepPlan<Image> restore(String snapshot, ImageSpec target) {
    return copying("restore-image", snapshot, target);
  }

  @Override
  public StepPlan<Image> cloneImage(String source, ImageSpec target) {
    return copying("clone-image", source, target);
  }

  private StepPlan<Image> copying(String verb, String source, ImageSpec target) {
    String from = Layout.check(source);
    return StepPlan.of(
        making(
            verb,
            target,
            (data, context) -> {
              long size = images.require(from).size();
              VolumeForm form = images.form(from);
              copiers.of(form).copy(layout.image(from), Layout.DATA, data, context::cancelled);
              return new ImageStore.Filled(form, size);
            }));
  }

  private interface Contents {
    ImageStore.Filled write(Path data, StepContext context) throws IOException;
  }

  private Step<Image> making(String verb, ImageSpec spec, Contents contents) {
    String image = Layout.check(spec.name());
    return Steps.step(verb + ":" + image, Image.class)
        .probe(context -> guarded("look at", image, () -> images.probe(image, spec.size())))
        .apply(
            context ->
                guarded(
                    verb.replace('-', ' '),
                    image,
                    () -> images.make(image, spec.size(), data -> contents.write(data, context))))
        .undoPartial(context -> guarded("remove", image, () -> images.remove(image)))
        .undo((context, done) -> guarded("remove", image, () -> images.remove(image)));
  }

  @Override
  public StepPlan<Done> delete(String name) {
    String image = Layout.check(name);
    Step<Done> trash =
        Steps.step("trash-image:" + image, Done.class)
            .probe(context -> guarded("look at", image, () -> probeTrash(image)))
            .apply(context -> new Done(guarded("trash", image, () -> images.trash(image))))
            .forwardOnly();
    Step<Done> purge =
        Steps.step("purge-image:" + image, Done.class)
            .probe(context -> guarded("look at", image, () -> probePurge(image)))
            .apply(context -> new Done(guarded("purge", image, () -> images.purge(image))))
            .forwardOnly();
    return new StepPlan<>(List.of(trash), purge);
  }

  private Probe<Done> probeTrash(String image) {
    return isThere(image)
        ? Probe.absent()
        : Probe.present(new Done(Layout.isThere(layout.trashed(image))));
  }

  /** Done only when nothing is left anywhere: an image that is still in place is to be purged. */
  private Probe<Done> probePurge(String image) {
    return isThere(image) || Layout.isThere(layout.trashed(image))
        ? Probe.absent()
        : Probe.present(new Done(false));
  }

  private boolean isThere(String image) {
    return Layout.isThere(layout.image(image)) || Layout.isThere(layout.temporary(image));
  }

  @Override
  public StepPlan<Done> deleteSnapshot(String snapshot) {
    return delete(snapshot);
  }

  @Override
  public Step<Image> expand(String name, long size) {
    String image = Layout.check(name);
    return Steps.step("expand-image:" + image, Image.class)
        .probe(
            context ->
                guarded(
                    "look at",
                    image,
                    () ->
                        images.find(image).filter(found -> found.size() >= size).isPresent()
                            ? Probe.present(images.require(image))
                            : Probe.<Image>absent()))
        .apply(context -> guarded("expand", image, () -> images.grow(image, size)))
        .forwardOnly();
  }

  @Override
  public Step<Done> writeMetadata(String name, SortedMap<String, String> metadata) {
    String image = Layout.check(name);
    SortedMap<String, String> wanted = new TreeMap<>(metadata);
    return Steps.step("write-metadata:" + image, Done.class)
        .probe(
            context ->
                guarded(
                    "look at",
                    image,
                    () ->
                        images.find(image).isPresent() && images.metadata(image).equals(wanted)
                            ? Probe.present(new Done(false))
                            : Probe.<Done>absent()))
        .apply(
            context ->
                guarded(
                    "write metadata of",
                    image,
                    () -> {
                      images.writeMetadata(image, wanted);
                      return new Done(true);
                    }))
        .undo((context, done) -> {}); // it goes with the image
  }

  @Override
  public Optional<Image> find(String image) {
    return guarded("look at", image, () -> images.find(image));
  }

  @Override
  public SortedMap<String, String> metadata(String image) {
    return guarded("read metadata of", image, () -> images.metadata(image));
  }

  @Override
  public List<Image> images() {
    return guarded("list", "images", images::all);
  }

  @Override
  public List<Leftover> leftovers() {
    return guarded("list", "leftovers", images::leftovers);
  }

  @Override
  public boolean inUse(String image) {
    return guarded("look at", image, () -> uses.of(layout.image(image)));
  }

  @Override
  public OptionalLong available() {
    return guarded(
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
  public void close() {
    closed = true;
  }

  @FunctionalInterface
  private interface FileCall<T> {
    T call() throws IOException;
  }

  private <T> T guarded(String doing, String what, FileCall<T> call) {
    if (closed) {
      throw new EvenkeelException(ErrorKind.UNAVAILABLE, "the hostpath backend is closed");
    }
    try {
      return call.call();
    } catch (IOException e) {
      throw Errors.of("cannot " + doing + " " + what, e, this::isFull);
    }
  }

  /** For systems whose error texts are in another language. */
  private boolean isFull() {
    try {
      return Files.getFileStore(layout.root).getUsableSpace() == 0;
    } catch (IOException e) {
      return false; // then it stays the error that it was
    }
  }

  private static String shown(String value) {
    return value.length() <= 40 ? value : value.substring(0, 40) + "…";
  }
}
