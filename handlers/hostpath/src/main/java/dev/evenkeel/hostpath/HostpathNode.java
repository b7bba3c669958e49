package dev.evenkeel.hostpath;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.MountSpec;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.Usage;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.api.volume.VolumeNames;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The node side: the data of an image are its device. A directory is staged by showing it at the
 * staging path; a file is used as a block device, shown at the targets alone, and its staging path
 * is an empty directory.
 */
final class HostpathNode implements VolumeBackend.Mounting {
  private final Layout layout;
  private final ImageStore images;
  private final HostpathActs acts;
  private final Uses uses;
  private final AtomicReference<@Nullable Binder> binder = new AtomicReference<>();

  HostpathNode(Layout layout, ImageStore images, HostpathActs acts, Uses uses) {
    this.layout = layout;
    this.images = images;
    this.acts = acts;
    this.uses = uses;
  }

  /** Found out at the first use. */
  private Binder binder() throws IOException {
    Binder known = binder.get();
    if (known == null) {
      known = MountBinder.tried(layout.tmp, uses).orElseGet(LinkBinder::new);
      binder.set(known);
    }
    return known;
  }

  @Override
  public StepPlan<String> map(String image, MountSpec mount) {
    String data = layout.image(image).resolve(Layout.DATA).toString();
    return StepPlan.of(
        Steps.step("map-device:" + image, String.class)
            .probe(
                context ->
                    acts.guarded(
                        "look at",
                        image,
                        () ->
                            images.find(image).isPresent()
                                ? Probe.present(data)
                                : Probe.<String>absent()))
            .apply(
                context ->
                    acts.guarded(
                        "map",
                        image,
                        () -> {
                          var unused = images.require(image);
                          return data;
                        }))
            .undo((context, done) -> {})); // there is nothing to take away
  }

  @Override
  public StepPlan<Done> unmap(String image) {
    return StepPlan.of(
        Steps.step("unmap-device:" + image, Done.class)
            .probe(context -> Probe.present(new Done(false)))
            .apply(context -> new Done(false))
            .forwardOnly());
  }

  @Override
  public StepPlan<Done> mount(String image, String path, MountSpec mount) {
    Path data = layout.image(image).resolve(Layout.DATA);
    Path at = Path.of(VolumeNames.checkPath("mount", path));
    return StepPlan.of(
        Steps.step("mount-device:" + path, Done.class)
            .probe(
                context ->
                    acts.guarded(
                        "look at", path, () -> probe(isStaged(checked(image, mount), data, at))))
            .apply(context -> acts.guarded("mount", path, () -> stage(image, data, at, mount)))
            .undo((context, done) -> acts.guarded("unmount", path, () -> takeAway(at))));
  }

  private boolean isStaged(VolumeForm form, Path data, Path at) throws IOException {
    return form == VolumeForm.FILE
        ? Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)
        : binder().shows(data, at);
  }

  private Done stage(String image, Path data, Path at, MountSpec mount) throws IOException {
    VolumeForm form = checked(image, mount);
    if (form == VolumeForm.FILE) {
      Files.createDirectories(at);
    } else {
      makeParent(at);
      binder().show(data, at, mount.readOnly());
    }
    return new Done(true);
  }

  private VolumeForm checked(String image, MountSpec mount) throws IOException {
    VolumeForm form = images.form(image);
    if (form == VolumeForm.FILE && !mount.block()) {
      throw new EvenkeelException(
          ErrorKind.FAILED_PRECONDITION,
          image + " is a file: it can be used as a block device only");
    }
    if (form == VolumeForm.DIRECTORY && mount.block()) {
      throw new EvenkeelException(
          ErrorKind.FAILED_PRECONDITION, image + " is a directory: it is no block device");
    }
    return form;
  }

  private static void makeParent(Path at) throws IOException {
    Path parent = at.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
  }

  @Override
  public StepPlan<Done> bind(String path, String target, MountSpec mount) {
    Path source = Path.of(path);
    Path at = Path.of(VolumeNames.checkPath("bind", target));
    return StepPlan.of(
        Steps.step("bind:" + target, Done.class)
            .probe(
                context -> acts.guarded("look at", target, () -> probe(binder().shows(source, at))))
            .apply(
                context ->
                    acts.guarded(
                        "bind",
                        target,
                        () -> {
                          makeParent(at);
                          binder().show(source, at, mount.readOnly());
                          return new Done(true);
                        }))
            .undo((context, done) -> acts.guarded("unbind", target, () -> takeAway(at))));
  }

  @Override
  public StepPlan<Done> unmount(String path) {
    Path at = Path.of(VolumeNames.checkPath("unmount", path));
    return StepPlan.of(
        Steps.step("unmount:" + path, Done.class)
            .probe(
                context ->
                    acts.guarded(
                        "look at",
                        path,
                        () ->
                            Layout.isThere(at)
                                ? Probe.<Done>absent()
                                : Probe.present(new Done(false))))
            .apply(context -> acts.guarded("unmount", path, () -> takeAway(at)))
            .forwardOnly());
  }

  /** What is shown goes, and then the path itself; it must be empty then. */
  private Done takeAway(Path at) throws IOException {
    binder().hide(at);
    return new Done(Files.deleteIfExists(at));
  }

  private static Probe<Done> probe(boolean so) {
    return so ? Probe.present(new Done(true)) : Probe.absent();
  }

  /** The file system is that of the root: what has grown is there at once. */
  @Override
  public Step<Long> growFileSystem(String image, String path) {
    return Steps.step("grow-fs:" + path, Long.class)
        .probe(
            context ->
                acts.guarded("look at", image, () -> Probe.present(images.require(image).size())))
        .apply(context -> acts.guarded("look at", image, () -> images.require(image).size()))
        .forwardOnly();
  }

  @Override
  public boolean isMounted(String path) {
    return acts.guarded("look at", path, () -> binder().isTaken(Path.of(path)));
  }

  @Override
  public Usage usage(String path) {
    return acts.guarded(
        "ask the space of",
        path,
        () -> {
          Path at = Path.of(VolumeNames.checkPath("usage", path));
          if (!Files.exists(at)) {
            throw new EvenkeelException(ErrorKind.NOT_FOUND, path + " is not there");
          }
          if (Files.isRegularFile(at)) {
            long size = Files.size(at);
            return new Usage(size, size, 0, 0, 0);
          }
          FileStore store = Files.getFileStore(at);
          long total = store.getTotalSpace();
          return new Usage(
              total, total - store.getUnallocatedSpace(), store.getUsableSpace(), 0, 0);
        });
  }

  String describe() {
    return acts.guarded("look at", "mounts", () -> binder().describe());
  }
}
