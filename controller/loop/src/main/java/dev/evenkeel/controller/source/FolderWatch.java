package dev.evenkeel.controller.source;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears of changes in a directory, on a thread of its own. It only saves time: whoever uses it
 * looks from time to time anyway, since a directory may go and come, or be on a file system that
 * tells nothing.
 */
final class FolderWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);

  private final Path folder;
  private final Runnable onChange;
  private final Thread thread;
  private @Nullable WatchService service;
  private volatile @Nullable WatchKey key;

  FolderWatch(String source, Path folder, Runnable onChange) {
    this.folder = folder;
    this.onChange = onChange;
    this.thread = new Thread(this::run, "evenkeel-source-" + source + "-watch");
    thread.setDaemon(true);
  }

  void start() {
    try {
      service = folder.getFileSystem().newWatchService();
      renew();
      thread.start();
    } catch (IOException | UnsupportedOperationException none) {
      LOG.warn("changes of {} are not told, so it is looked at from time to time", folder, none);
    }
  }

  /** Registers the directory, if it was not there or has been replaced. */
  void renew() {
    WatchService active = service;
    WatchKey known = key;
    if (active != null && (known == null || !known.isValid())) {
      try {
        key = folder.register(active, ENTRY_CREATE, ENTRY_DELETE, ENTRY_MODIFY);
      } catch (IOException | ClosedWatchServiceException none) {
        key = null; // the next look reports that it cannot be read
      }
    }
  }

  private void run() {
    WatchService active = service;
    try {
      while (active != null) {
        WatchKey told = active.take();
        told.pollEvents();
        if (!told.reset()) {
          told.cancel();
        }
        onChange.run();
      }
    } catch (ClosedWatchServiceException | InterruptedException ended) {
      LOG.debug("{} is not watched any more", folder);
    }
  }

  @Override
  public void close() {
    WatchService active = service;
    if (active == null) {
      return;
    }
    try {
      active.close();
    } catch (IOException failed) {
      LOG.warn("the watch of {} cannot be closed", folder, failed);
    }
    boolean interrupted = false;
    while (thread.isAlive() && Thread.currentThread() != thread) {
      try {
        thread.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
