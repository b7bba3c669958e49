package org.example.encryption;

import dev.evenkeel.api.Fields;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.handlers.volume.VolumeHandlers;
import dev.evenkeel.handlers.volume.VolumeSettings;
import dev.evenkeel.hostpath.HostpathBackend;
import dev.evenkeel.store.local.LocalDatastore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A storage driver with encrypted volumes: everything below one folder. */
final class EncryptedStorage implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  final HostpathBackend volumes;
  final LocalDatastore records;
  final Headers headers;
  private final ControllerLoop loop;

  private EncryptedStorage(Path folder, EventHandler... more) throws Exception {
    headers = new Headers(folder.resolve("headers"));
    volumes = HostpathBackend.open(folder.resolve("volumes"));
    records = LocalDatastore.open(folder.resolve("records"), new JacksonCodecs());
    loop =
        EventLoops.builder("encrypted")
            .handlers(VolumeHandlers.stock(volumes, VolumeSettings.of("example")))
            .handlers(more)
            .discover(
                EncryptedStorage.class.getClassLoader(),
                Fields.of(Map.of(EncryptionProvider.HEADERS, headers.folder().toString())))
            .datastore(records, JacksonEventCodec.withVolumes())
            .start();
    loop.pushEvent(DatastoreResync.of(InputState.empty())).await(LIMIT).throwIfFailed();
  }

  /** Opens it, and waits until it runs. */
  static EncryptedStorage open(Path folder, EventHandler... more) throws Exception {
    return new EncryptedStorage(folder, more);
  }

  <R> Outcome<R> run(Request<R> request) throws Exception {
    return loop.pushEvent(request).await(LIMIT);
  }

  /** What the newest event did. */
  EventRecord last() {
    return loop.history().last(1).get(0);
  }

  @Override
  public void close() {
    loop.close();
    records.close();
    volumes.close();
  }

  /** Makes one encrypted volume: folder, name, passphrase. */
  public static void main(String[] args) throws Exception {
    try (EncryptedStorage storage = open(Path.of(args[0]))) {
      Secrets secrets = Secrets.of(Map.of(EncryptionHandler.PASSPHRASE, Secret.of(args[2])));
      System.out.println(storage.run(CreateVolume.of(args[1], 1L << 20).with(secrets)).orThrow());
    }
  }
}
