package dev.evenkeel.api.volume;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.Step;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * A storage system, below the stock volume handlers. Implemented by driver authors, who show with
 * the contract tests of {@code evenkeel-tck} that theirs holds.
 *
 * <p>Methods that return steps are called on the loop thread, are pure and quick: the steps do the
 * work later, on workers, may block, and run one at a time for one image. Methods that return
 * answers are called on workers, and may block. Abilities that not every backend has are values:
 * {@link #snapshots()}, {@link #cloning()}, {@link #expansion()}, {@link #attachment()}, {@link
 * #mounting()}, {@link #fencing()}.
 */
public interface VolumeBackend extends AutoCloseable {
  /** For people, and for stored records: must not change. */
  String name();

  /** The size of a new volume when the request leaves it open. */
  long defaultSize();

  /** The size that the backend would make of a request; at least {@code bytes}. Pure. */
  long roundUp(long bytes);

  /**
   * Refuses parameters that it does not know or cannot use, all at once, by {@link
   * InvalidInputException}. Pure.
   */
  void checkParameters(SortedMap<String, String> parameters);

  /** Acts that make an empty image. Undone by removing it. */
  StepPlan<Image> create(ImageSpec spec);

  /**
   * Acts that remove an image; rolled forward; absent is fine, leftovers of an interrupted removal
   * go too.
   */
  StepPlan<Done> delete(String image);

  /**
   * An act that writes metadata onto an image; never secrets. Absent values are removed. Undone
   * with the image.
   */
  Step<Done> writeMetadata(String image, SortedMap<String, String> metadata);

  /** The image of that name. Blocks. */
  Optional<Image> find(String image) throws Exception;

  /** The metadata of an image. Blocks. */
  SortedMap<String, String> metadata(String image) throws Exception;

  /**
   * All images that this backend has, leftovers in the trash marked by {@link Leftover}. Blocks.
   */
  List<Image> images() throws Exception;

  /** Things that no image explains: trash, temporary copies. Blocks. */
  List<Leftover> leftovers() throws Exception;

  /** Whether somebody uses it, so that it must not be removed. Blocks. */
  boolean inUse(String image) throws Exception;

  /** Bytes that new volumes may still take, when that can be told. Blocks. */
  OptionalLong available() throws Exception;

  /** Snapshots and volumes made of them. */
  default Optional<Snapshots> snapshots() {
    return Optional.empty();
  }

  /** Volumes made of volumes. */
  default Optional<Cloning> cloning() {
    return Optional.empty();
  }

  /** Volumes that grow. */
  default Optional<Expansion> expansion() {
    return Optional.empty();
  }

  /** Reachability from nodes. */
  default Optional<Attachment> attachment() {
    return Optional.empty();
  }

  /** Devices and mounts on this node. */
  default Optional<Mounting> mounting() {
    return Optional.empty();
  }

  /** Parameters that change while a volume is in use. */
  @Experimental("new")
  default Optional<Modification> modification() {
    return Optional.empty();
  }

  /** Shutting out acts of earlier leaders. */
  default Optional<Fencing> fencing() {
    return Optional.empty();
  }

  /** Ends; steps under way fail. Idempotent. */
  @Override
  void close();

  /** Snapshots. */
  interface Snapshots {
    /** Acts that make a snapshot image of an image. */
    StepPlan<Image> snapshot(String source, ImageSpec snapshot);

    /** Acts that make an image of a snapshot image, at least as large; without its metadata. */
    StepPlan<Image> restore(String snapshot, ImageSpec target);

    /** Acts that remove a snapshot image; rolled forward; absent is fine. */
    StepPlan<Done> deleteSnapshot(String snapshot);
  }

  /** Clones. */
  interface Cloning {
    /**
     * Acts that make an image of an image, at least as large; nothing temporary stays behind once
     * both are gone.
     */
    StepPlan<Image> cloneImage(String source, ImageSpec target);
  }

  /** Growth. */
  interface Expansion {
    /** An act that lets an image grow; never shrinks it; not undoable. */
    Step<Image> expand(String image, long size);
  }

  /** Reachability from nodes. */
  interface Attachment {
    /** Acts that make an image reachable from a node. */
    StepPlan<Done> attach(String image, String node, boolean readOnly);

    /** Acts that make it unreachable; an image or node that is gone is fine. */
    StepPlan<Done> detach(String image, String node);
  }

  /** The node side. */
  interface Mounting {
    /**
     * Acts that map an image's device; an existing mapping is used again. Gives the device's path.
     */
    StepPlan<String> map(String image, MountSpec mount);

    /** Acts that unmap it; not mapped is fine. */
    StepPlan<Done> unmap(String image);

    /** Acts that format a blank device, mount it, and let the file system grow to it. */
    StepPlan<Done> mount(String image, String path, MountSpec mount);

    /** Acts that show a mounted path at a target. */
    StepPlan<Done> bind(String path, String target, MountSpec mount);

    /** Acts that unmount a path, and remove it; not mounted or absent is fine. */
    StepPlan<Done> unmount(String path);

    /** An act that lets a mounted file system grow to its device; gives its bytes. */
    Step<Long> growFileSystem(String image, String path);

    /** Whether something of this backend is mounted at a path. Blocks. */
    boolean isMounted(String path) throws Exception;

    /** How full what is mounted there is. Blocks. */
    Usage usage(String path) throws Exception;
  }

  /** Parameters that change while a volume is in use. */
  @Experimental("new")
  interface Modification {
    /**
     * Refuses those that it does not know or cannot use, all at once, by {@link
     * InvalidInputException}. Pure.
     */
    void checkMutable(SortedMap<String, String> parameters);

    /** An act that sets them on an image; those that are not named stay. Rolled forward. */
    Step<Done> modify(String image, SortedMap<String, String> parameters);
  }

  /** Fencing of acts, where a backend can (JT-14). */
  interface Fencing {
    /** Returns when no act of an epoch before this one can take hold any more. Blocks. */
    void fence(Epoch epoch) throws Exception;
  }

  /**
   * Something that no image explains.
   *
   * @param what for people
   * @param image name of the image that it was of, when that can be told
   */
  record Leftover(String what, Optional<String> image) {}
}
