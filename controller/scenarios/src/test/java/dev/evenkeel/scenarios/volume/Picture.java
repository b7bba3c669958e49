package dev.evenkeel.scenarios.volume;

import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.volume.AttachmentKey;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.MountKey;
import dev.evenkeel.api.volume.MountRecord;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.testkit.volume.FakeBackend;
import dev.evenkeel.txn.operation.DoneKey;
import dev.evenkeel.txn.operation.OpenKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is there: images with their metadata, leftovers, records, journal; as sorted lines, with a
 * word in place of each UUID, so that two runs can be compared.
 */
final class Picture {
  private final Map<String, String> words = new TreeMap<>();
  private final List<String> lines = new ArrayList<>();

  private Picture() {}

  static List<String> of(VolumeBackend backend, Datastore store) throws Exception {
    Picture picture = new Picture();
    picture.records(store);
    picture.images(backend);
    return picture.lines.stream().map(picture::worded).sorted().toList();
  }

  private void records(Datastore store) {
    for (KeyType<dev.evenkeel.api.volume.NameRecord> type :
        List.of(NameKey.VOLUMES, NameKey.SNAPSHOTS, NameKey.GROUPS)) {
      for (var name : all(store, type)) {
        words.put(name.value().uuid(), "<" + lastOf(name.key().path()) + ">");
        lines.add("name " + name.key().path() + " -> " + name.value().uuid());
      }
    }
    for (KeyType<ObjectRecord> type :
        List.of(ObjectKey.VOLUMES, ObjectKey.SNAPSHOTS, ObjectKey.GROUPS)) {
      for (var object : all(store, type)) {
        ObjectRecord record = object.value();
        lines.add(
            "object "
                + object.key().path()
                + " "
                + String.join(
                    " ",
                    record.name(),
                    record.id(),
                    record.state().name(),
                    record.image(),
                    record.imageId().orElse("-"),
                    Long.toString(record.size()),
                    record.source().orElse("-")));
        record
            .parameters()
            .forEach((key, value) -> lines.add("of " + record.name() + " " + key + "=" + value));
      }
    }
    for (var mount : all(store, MountKey.TYPE)) {
      MountRecord record = mount.value();
      lines.add(
          "mount " + mount.key().path() + " " + record.device() + " " + record.state().name());
    }
    for (var attachment : all(store, AttachmentKey.TYPE)) {
      lines.add("attachment " + attachment.key().path() + " " + attachment.value().complete());
    }
    for (var open : all(store, OpenKey.TYPE)) {
      lines.add("open " + open.value().kind() + " " + open.value().subject());
    }
    for (var done : all(store, DoneKey.TYPE)) {
      lines.add("done " + done.value().kind() + " " + done.value().subject());
    }
  }

  private void images(VolumeBackend backend) throws Exception {
    if (backend instanceof FakeBackend fake) {
      fake.describe()
          .lines()
          .filter(line -> line.matches("(attached|mapped|path|mounted) .*"))
          .forEach(lines::add);
    }
    for (Image image : backend.images()) {
      lines.add(
          "image " + image.name() + " " + image.size() + " " + backend.metadata(image.name()));
    }
    for (VolumeBackend.Leftover leftover : backend.leftovers()) {
      lines.add("leftover " + leftover.what());
    }
  }

  private static <V> List<KeyedValue<V>> all(Datastore store, KeyType<V> type) {
    List<KeyedValue<V>> found = new ArrayList<>();
    for (KeyValue<V> pair : store.blocking().list(ListOptions.all(type), Call.usual()).items()) {
      found.add(new KeyedValue<>(pair.key(), pair.value().orElseThrow()));
    }
    return found;
  }

  private static String lastOf(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private String worded(String line) {
    return wordedOnce(wordedOnce(line)); // the names of a group's members have UUIDs in them
  }

  private String wordedOnce(String line) {
    String worded = line;
    for (Map.Entry<String, String> word : words.entrySet()) {
      worded = worded.replace(word.getKey(), word.getValue());
    }
    return worded;
  }
}
