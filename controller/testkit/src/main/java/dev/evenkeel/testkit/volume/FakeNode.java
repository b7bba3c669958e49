package dev.evenkeel.testkit.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.MountSpec;
import dev.evenkeel.api.volume.StepPlan;
import dev.evenkeel.api.volume.Usage;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.testkit.volume.FakeActs.Target;
import java.util.List;
import java.util.Optional;

/** The fake's nodes: attachments to any of them, and the devices and mounts of one. */
record FakeNode(FakeActs acts) implements VolumeBackend.Attachment, VolumeBackend.Mounting {
  private static final String DEVICES = "/dev/fake/";

  @Override
  public StepPlan<Done> attach(String image, String node, boolean readOnly) {
    String at = image + "@" + node;
    return StepPlan.of(
        acts.undoable(
            Target.of("attach", at),
            Done.class,
            d -> done(Boolean.valueOf(readOnly).equals(d.attachments.get(at))),
            d -> {
              d.attachments.put(at, readOnly);
              return new Done(true);
            },
            d -> d.attachments.remove(at)));
  }

  @Override
  public StepPlan<Done> detach(String image, String node) {
    String at = image + "@" + node;
    return StepPlan.of(
        acts.forward(
            Target.of("detach", at),
            Done.class,
            d -> gone(!d.attachments.containsKey(at)),
            d -> new Done(d.attachments.remove(at) != null)));
  }

  @Override
  public StepPlan<String> map(String image, MountSpec mount) {
    String device = DEVICES + image;
    return StepPlan.of(
        acts.undoable(
            Target.of("map-device", device),
            String.class,
            d -> d.mapped.contains(image) ? Optional.of(device) : Optional.empty(),
            d -> {
              if (!d.mapped.add(d.require(image).name)) {
                throw new EvenkeelException(ErrorKind.INTERNAL, image + " is mapped twice");
              }
              return device;
            },
            d -> unmap(d, image)));
  }

  private static Done unmap(FakeDisk d, String image) {
    if (d.mounts.containsValue(DEVICES + image)) {
      throw new EvenkeelException(ErrorKind.FAILED_PRECONDITION, image + " is mounted");
    }
    return new Done(d.mapped.remove(image));
  }

  @Override
  public StepPlan<Done> unmap(String image) {
    return StepPlan.of(
        acts.forward(
            Target.of("unmap-device", DEVICES + image),
            Done.class,
            d -> gone(!d.mapped.contains(image)),
            d -> unmap(d, image)));
  }

  @Override
  public StepPlan<Done> mount(String image, String path, MountSpec mount) {
    String device = DEVICES + image;
    boolean formats = !mount.block() && !mount.readOnly();
    Step<Done> format =
        acts.undoable(
            Target.of("format-device", device),
            Done.class,
            d -> done(!formats || (d.has(image) && d.require(image).formats > 0)),
            d -> {
              FakeImage found = d.require(image);
              found.formats++;
              found.fileSystem = found.size;
              return new Done(true);
            },
            FakeCopies::nothing);
    Step<Done> grow =
        acts.undoable(
            Target.of("grow-fs", path),
            Done.class,
            d ->
                done(
                    !formats
                        || (d.has(image) && d.require(image).fileSystem == d.require(image).size)),
            d -> {
              d.require(image).fileSystem = d.require(image).size;
              return new Done(true);
            },
            FakeCopies::nothing);
    return new StepPlan<>(
        List.of(makePath(path), format, mounting("mount-device", device, path)), grow);
  }

  private Step<Done> makePath(String path) {
    return acts.undoable(
        Target.of("make-path", path),
        Done.class,
        d -> done(d.paths.contains(path)),
        d -> new Done(d.paths.add(path)),
        d -> d.paths.remove(path));
  }

  private Step<Done> mounting(String verb, String what, String path) {
    return acts.undoable(
        Target.of(verb, path),
        Done.class,
        d -> done(what.equals(d.mounts.get(path))),
        d -> {
          String there = d.mounts.putIfAbsent(path, what);
          if (there != null) {
            throw new EvenkeelException(
                ErrorKind.FAILED_PRECONDITION, path + " is taken by " + there);
          }
          return new Done(true);
        },
        d -> d.mounts.remove(path));
  }

  @Override
  public StepPlan<Done> bind(String path, String target, MountSpec mount) {
    return new StepPlan<>(List.of(makePath(target)), mounting("bind", "bind of " + path, target));
  }

  @Override
  public StepPlan<Done> unmount(String path) {
    Step<Done> off =
        acts.forward(
            Target.of("unmount", path),
            Done.class,
            d -> gone(!d.mounts.containsKey(path)),
            d -> new Done(d.mounts.remove(path) != null));
    Step<Done> remove =
        acts.forward(
            Target.of("remove-path", path),
            Done.class,
            d -> gone(!d.mounts.containsKey(path) && !d.paths.contains(path)),
            d -> new Done(d.paths.remove(path)));
    return new StepPlan<>(List.of(off), remove);
  }

  @Override
  public Step<Long> growFileSystem(String image, String path) {
    return acts.forward(
        Target.of("grow-fs", path),
        Long.class,
        d -> {
          FakeImage found = d.require(image);
          return found.fileSystem == found.size ? Optional.of(found.size) : Optional.empty();
        },
        d -> {
          FakeImage found = d.require(image);
          found.fileSystem = found.size;
          return found.size;
        });
  }

  @Override
  public boolean isMounted(String path) throws InterruptedException {
    return acts.ask("is-mounted", path, d -> d.mounts.containsKey(path));
  }

  @Override
  public Usage usage(String path) throws InterruptedException {
    return acts.ask(
        "usage",
        path,
        d -> {
          String of = d.mounts.get(path);
          if (of == null) {
            throw new EvenkeelException(ErrorKind.NOT_FOUND, path + " is not mounted");
          }
          String source = of.startsWith("bind of ") ? of.substring("bind of ".length()) : of;
          String device = d.mounts.getOrDefault(source, source);
          FakeImage image = d.require(device.substring(DEVICES.length()));
          long used = image.content.length();
          return new Usage(image.size, used, image.size - used, 0, 0);
        });
  }

  private static Optional<Done> done(boolean so) {
    return so ? Optional.of(new Done(true)) : Optional.empty();
  }

  private static Optional<Done> gone(boolean so) {
    return so ? Optional.of(new Done(false)) : Optional.empty();
  }
}
