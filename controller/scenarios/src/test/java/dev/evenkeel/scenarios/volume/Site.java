package dev.evenkeel.scenarios.volume;

import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.datastore.MemoryDatastore;
import dev.evenkeel.hostpath.HostpathBackend;
import dev.evenkeel.hostpath.HostpathOptions;
import java.nio.file.Path;
import java.util.List;

/** What outlives a process: volumes on the file system, and a datastore. */
final class Site implements AutoCloseable {
  final HostpathBackend backend;
  final Datastore store;

  Site(Path root, Datastore store) {
    this.backend = HostpathBackend.open(root, HostpathOptions.defaults().durable(false));
    this.store = store;
  }

  /** With a datastore in memory. */
  static Site in(Path root) {
    return new Site(root, MemoryDatastore.create());
  }

  /** Starts a process on it. */
  Driver start(Life life) {
    return new Driver(new MortalBackend(backend, life), new MortalDatastore(store, life));
  }

  /** Starts a process, has it do one thing, and ends it. */
  <R> Outcome<R> once(Life life, Request<R> request) {
    try (Driver driver = start(life)) {
      return driver.run(request);
    }
  }

  List<String> picture() throws Exception {
    return Picture.of(backend, store);
  }

  @Override
  public void close() {
    backend.close();
    store.close();
  }
}
