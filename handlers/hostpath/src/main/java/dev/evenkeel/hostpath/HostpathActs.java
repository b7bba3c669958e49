package dev.evenkeel.hostpath;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.StepPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The steps of the hostpath backend, named {@code verb:image}. */
final class HostpathActs {
  private final Layout layout;
  private final ImageStore images;
  private final Copiers copiers;
  private volatile boolean closed;

  HostpathActs(Layout layout, ImageStore images, Copiers copiers) {
    this.layout = layout;
    this.images = images;
    this.copiers = copiers;
  }

  void close() {
    closed = true;
  }

  StepPlan<Image> create(ImageSpec spec, VolumeForm form) {
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

  StepPlan<Image> copying(String verb, String source, ImageSpec target) {
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

  StepPlan<Done> delete(String name) {
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

  Step<Image> expand(String name, long size) {
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

  Step<Done> writeMetadata(String name, SortedMap<String, String> metadata) {
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

  /** Kept with the metadata, beside those that name it. */
  Step<Done> modify(String name, SortedMap<String, String> parameters) {
    String image = Layout.check(name);
    SortedMap<String, String> wanted = new TreeMap<>();
    parameters.forEach((key, value) -> wanted.put("evenkeel.mutable." + key, value));
    return Steps.step("modify-image:" + image, Done.class)
        .probe(
            context ->
                guarded(
                    "look at",
                    image,
                    () ->
                        images.find(image).isPresent()
                                && images.metadata(image).entrySet().containsAll(wanted.entrySet())
                            ? Probe.present(new Done(false))
                            : Probe.<Done>absent()))
        .apply(
            context ->
                guarded(
                    "modify",
                    image,
                    () -> {
                      SortedMap<String, String> all = new TreeMap<>(images.metadata(image));
                      all.putAll(wanted);
                      images.writeMetadata(image, all);
                      return new Done(true);
                    }))
        .forwardOnly();
  }

  @FunctionalInterface
  interface FileCall<T> {
    T call() throws IOException;
  }

  <T> T guarded(String doing, String what, FileCall<T> call) {
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
}
