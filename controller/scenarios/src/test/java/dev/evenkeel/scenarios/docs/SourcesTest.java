package dev.evenkeel.scenarios.docs;

import static org.awaitility.Awaitility.await;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.controller.source.DatastoreSource;
import dev.evenkeel.controller.source.DirectorySource;
import dev.evenkeel.datastore.MemoryDatastore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/sources.md shows. */
@DisplayName("Sources, as the docs show them")
final class SourcesTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  // [a key]
  record Tenant(String name) implements Key<String> {
    static final KeyType<String> TYPE =
        KeyType.named("tenant", "/tenants/", String.class, Tenant::new);

    @Override
    public String path() {
      return KeyPaths.join(TYPE.prefix(), name);
    }

    @Override
    public KeyType<String> type() {
      return TYPE;
    }
  }

  // [end]

  private final Map<String, String> seen = new ConcurrentSkipListMap<>();

  // [a handler]
  private EventHandler tenants() {
    return Handlers.named("tenants")
        .onChange(
            Tenant.TYPE,
            (event, turn) -> {
              event
                  .currentAs(Tenant.TYPE)
                  .ifPresentOrElse(
                      value -> seen.put(event.key(), value), () -> seen.remove(event.key()));
              return event.key() + " has changed";
            })
        .resync(
            (event, turn) -> {
              seen.clear();
              turn.input().all(Tenant.TYPE).forEach(t -> seen.put(t.key().path(), t.value()));
            })
        .build();
  }

  // [end]

  private static void put(Datastore store, String name, String value) {
    var unused = store.blocking().apply(KeyValue.of(new Tenant(name), value), Call.within(LIMIT));
  }

  @Test
  @DisplayName("a loop is fed by a datastore, and starts from the mirror when that is away")
  void datastore() {
    MemoryDatastore remote = MemoryDatastore.create();
    MemoryDatastore mirror = MemoryDatastore.create();
    put(remote, "a", "gold");
    // [fed by a datastore]
    try (ControllerLoop loop = EventLoops.builder("tenants").handlers(tenants()).start();
        DatastoreSource source =
            DatastoreSource.builder("tenants", remote).input(Tenant.TYPE).mirror(mirror).build()) {
      source.start(loop);
      // [end]
      await().atMost(LIMIT).until(() -> seen.equals(Map.of("/tenants/a", "gold")));
      put(remote, "b", "silver");
      await().atMost(LIMIT).until(() -> seen.containsKey("/tenants/b"));
    }
  }

  /** How strict the controller is; external configuration beside what it computes itself. */
  record Limit(String name) implements Key<Integer> {
    static final KeyType<Integer> TYPE =
        KeyType.named("limit", "/limits/", Integer.class, Limit::new);

    @Override
    public String path() {
      return KeyPaths.join(TYPE.prefix(), name);
    }

    @Override
    public KeyType<Integer> type() {
      return TYPE;
    }
  }

  @Test
  @DisplayName("a directory of YAML files is external configuration, and outlives the directory")
  void directory(@TempDir Path home) throws IOException {
    Path folder = Files.createDirectory(home.resolve("config"));
    Path state = home.resolve("config.state");
    Files.writeString(folder.resolve("limits.yaml"), "/limits/connections: 100\n");
    // [a directory]
    try (DirectorySource files =
        DirectorySource.builder("files", folder, state, new JacksonCodecs())
            .kinds(Limit.TYPE)
            .open()) {
      try (ControllerLoop loop =
          EventLoops.builder("limited").handlers(tenants()).externalSource(files).start()) {
        files.start(loop);
        // [end]
        await()
            .atMost(LIMIT)
            .until(
                () ->
                    files
                        .snapshot()
                        .get(new Limit("connections"))
                        .equals(java.util.Optional.of(100)));
      }
    }
  }
}
