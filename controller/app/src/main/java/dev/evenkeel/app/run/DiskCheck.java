package dev.evenkeel.app.run;

import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.app.show.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares what is on the disk with what the store says, and the store with what the history says.
 * For one thread, while nothing runs.
 */
final class DiskCheck {
  private final Records records;
  private final Tally tally;
  private final Map<String, Image> images = new TreeMap<>();
  private final List<String> differences = new ArrayList<>();

  private DiskCheck(Records records, Tally tally) {
    this.records = records;
    this.tally = tally;
  }

  /** Looks, and says what differs. Blocks. */
  static Report.Verdict compare(
      Records records, Tally tally, VolumeBackend backend, boolean calledOff) throws Exception {
    DiskCheck check = new DiskCheck(records, tally);
    for (Image image : backend.images()) {
      check.images.put(image.name(), image);
    }
    check.kind(ObjectKind.VOLUME);
    check.kind(ObjectKind.SNAPSHOT);
    check.images.keySet().forEach(name -> check.differ("image " + name + " has no record"));
    backend.leftovers().forEach(left -> check.differ("left over: " + left.what()));
    records.begun().forEach(what -> check.differ(what + " has begun and not ended: repeat it"));
    return new Report.Verdict(
        records.volumes().size(), records.snapshots().size(), check.differences, calledOff);
  }

  private void kind(ObjectKind kind) {
    String what = kind == ObjectKind.VOLUME ? "volume " : "snapshot ";
    TreeSet<String> wanted = new TreeSet<>(tally.there(kind));
    for (ObjectRecord record : records.of(kind).values()) {
      record(what + record.name(), kind, record);
      if (!wanted.remove(record.name()) && !tally.isUncertain(kind, record.name())) {
        differ(what + record.name() + " is stored, and the history knows nothing of it");
      }
    }
    wanted.removeIf(name -> tally.isUncertain(kind, name));
    wanted.forEach(name -> differ(what + name + " is in the history, and not stored"));
    records
        .namesOf(kind)
        .forEach(
            (name, uuid) -> {
              if (!records.of(kind).containsKey(uuid)) {
                differ("the name of " + what + name + " leads nowhere");
              }
            });
  }

  private void record(String what, ObjectKind kind, ObjectRecord record) {
    if (!record.uuid().equals(records.namesOf(kind).get(record.name()))) {
      differ(what + " is stored, and its name leads elsewhere");
    }
    Image image = images.remove(record.image());
    if (record.state() != ObjectRecord.State.CREATED) {
      differ(what + " is only " + record.state() + ": repeat what was begun with it");
    } else if (image == null) {
      differ(what + " is stored, and its image " + record.image() + " is not there");
    } else if (kind == ObjectKind.VOLUME && image.size() != record.size()) {
      differ(what + " has " + image.size() + " bytes, and is stored with " + record.size());
    }
  }

  private void differ(String text) {
    differences.add(text);
  }
}
