package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.volume.VolumeBackend;
import java.util.List;

/**
 * Makes the stock volume handlers. They keep no state of their own; one set serves one loop.
 * Nothing here blocks or throws.
 */
public final class VolumeHandlers {
  private VolumeHandlers() {}

  /** All of them, in order: {@code reservation}, {@code image}, {@code metadata}, {@code state}. */
  public static List<EventHandler> stock(VolumeBackend backend, VolumeSettings settings) {
    return List.of(
        reservation(backend, settings), image(backend), metadata(backend), state(settings));
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
