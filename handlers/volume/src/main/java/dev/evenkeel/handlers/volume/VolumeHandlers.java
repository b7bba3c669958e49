package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.volume.MounterUpdater;
import dev.evenkeel.api.volume.VolumeBackend;
import java.util.List;

/**
 * Makes the stock volume handlers. They keep no state of their own; one set serves one loop.
 * Nothing here blocks or throws.
 */
public final class VolumeHandlers {
  private VolumeHandlers() {}

  /**
   * All of them, in order: {@code reservation}, {@code image}, {@code metadata}, {@code group},
   * {@code attach}, {@code state}.
   */
  public static List<EventHandler> stock(VolumeBackend backend, VolumeSettings settings) {
    return List.of(
        reservation(backend, settings),
        image(backend),
        metadata(backend),
        group(backend, settings),
        attach(backend, settings),
        state(settings));
  }

  /**
   * Those of a node: {@code mount}. Beside the stock ones in a process that is both; alone, over a
   * datastore of the node's own, in one that is a node only.
   *
   * @throws dev.evenkeel.api.EvenkeelException {@code UNIMPLEMENTED} when the backend cannot mount
   */
  @Experimental("new")
  public static List<EventHandler> node(
      VolumeBackend backend, VolumeSettings settings, MounterUpdater mounter) {
    return List.of(new MountHandler(backend, settings, mounter));
  }

  /** {@code group}: makes and removes groups of snapshots. */
  @Experimental("new")
  public static EventHandler group(VolumeBackend backend, VolumeSettings settings) {
    return new GroupHandler(backend, settings);
  }

  /** {@code attach}: makes volumes reachable from nodes, and keeps the records of it. */
  @Experimental("new")
  public static EventHandler attach(VolumeBackend backend, VolumeSettings settings) {
    return new AttachHandler(backend, settings);
  }

  /** {@code reservation}: reads the records, takes the name, decides. */
  public static EventHandler reservation(VolumeBackend backend, VolumeSettings settings) {
    return new ReservationHandler(backend, settings);
  }

  /** {@code image}: adds the backend's acts. */
  public static EventHandler image(VolumeBackend backend) {
    return new ImageHandler(backend);
  }

  /** {@code metadata}: writes onto a new image whose it is. */
  public static EventHandler metadata(VolumeBackend backend) {
    return new MetadataHandler(backend);
  }

  /** {@code state}: records what became of it, and answers. */
  public static EventHandler state(VolumeSettings settings) {
    return new StateHandler(settings);
  }
}
