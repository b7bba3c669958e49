package dev.evenkeel.api.datastore;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.util.ServiceLoader;

/**
 * Brings the syncer's algorithm. Implemented by {@code evenkeel-datastore}, found by {@link
 * ServiceLoader}.
 */
public interface SyncerProvider {
  /** Makes a syncer that lists and watches that store. */
  Syncer syncer(Datastore store, SyncerOptions options, SyncerCallbacks callbacks);

  /**
   * The one that is installed; throws {@link ErrorKind#UNIMPLEMENTED} when {@code
   * evenkeel-datastore} is not there.
   */
  static SyncerProvider installed() {
    return ServiceLoader.load(SyncerProvider.class, SyncerProvider.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () ->
                new EvenkeelException(
                    ErrorKind.UNIMPLEMENTED,
                    "no syncer is installed: add evenkeel-datastore to the module path"));
  }
}
