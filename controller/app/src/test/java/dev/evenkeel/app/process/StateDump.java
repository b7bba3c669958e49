package dev.evenkeel.app.process;

import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.BlockingDatastore;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.store.local.LocalDatastore;
import dev.evenkeel.txn.operation.DoneKey;
import dev.evenkeel.txn.operation.OpenKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All that is in a state directory, as sorted lines that can be compared with those of another: the
 * tree of the volumes with what is in the files, and every record of the store. UUIDs are replaced
 * by the names that lead to them, times and transaction ids by a word.
 */
final class StateDump {
  private static final String UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
  private static final String TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z";

  private final List<String> lines = new ArrayList<>();
  private final Map<String, String> names = new TreeMap<>();

  private StateDump() {}

  /** Of a directory that no process uses. */
  static List<String> of(Path stateDir) throws IOException {
    StateDump dump = new StateDump();
    try (Datastore store = LocalDatastore.open(stateDir.resolve("store"), new JacksonCodecs())) {
      dump.store(store.blocking());
    }
    dump.tree(stateDir.resolve("volumes"));
    return dump.lines.stream().map(dump::normalised).sorted().toList();
  }

  private void store(BlockingDatastore store) {
    for (KeyType<NameRecord> type : List.of(NameKey.VOLUMES, NameKey.SNAPSHOTS)) {
      for (KeyValue<NameRecord> pair : all(store, type)) {
        String name = pair.key().path().replace('/', '_');
        names.put(pair.value().orElseThrow().uuid(), "<" + name + ">");
      }
    }
    List<KeyType<?>> types =
        List.of(
            NameKey.VOLUMES,
            NameKey.SNAPSHOTS,
            ObjectKey.VOLUMES,
            ObjectKey.SNAPSHOTS,
            OpenKey.TYPE,
            DoneKey.TYPE);
    for (KeyType<?> type : types) {
      for (KeyValue<?> pair : all(store, type)) {
        lines.add("store " + pair.key().path() + " = " + pair.value().orElseThrow());
      }
    }
  }

  private static <V> List<KeyValue<V>> all(BlockingDatastore store, KeyType<V> type) {
    return store.list(ListOptions.all(type), Call.usual()).items();
  }

  private void tree(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.toList()) {
        String name = "disk " + root.relativize(path);
        if (Files.isDirectory(path)) {
          lines.add(name + "/");
        } else if (Files.size(path) <= 4096) {
          String text = Files.readString(path, StandardCharsets.ISO_8859_1);
          lines.add(name + " = " + text.replace("\n", "\\n"));
        } else {
          lines.add(name + " has " + Files.size(path) + " bytes");
        }
      }
    }
  }

  private String normalised(String line) {
    String named = line;
    for (Map.Entry<String, String> name : names.entrySet()) {
      named = named.replace(name.getKey(), name.getValue());
    }
    return named.replaceAll(UUID, "<id>").replaceAll(TIME, "<time>");
  }
}
