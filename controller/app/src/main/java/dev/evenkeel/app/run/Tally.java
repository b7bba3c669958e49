package dev.evenkeel.app.run;

import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which volumes and snapshots there must be when the history is right: those of the beginning, and
 * what the outcome of each event has added or removed. One thread.
 */
final class Tally {
  /** Names of one kind: those that must be there, and those that may or may not. */
  private static final class Names {
    final SortedSet<String> there = new TreeSet<>();
    final Set<String> uncertain = new TreeSet<>();
  }

  private final Names volumes = new Names();
  private final Names snapshots = new Names();

  /** Begins with what is stored. */
  static Tally from(Records records) {
    Tally tally = new Tally();
    for (ObjectKind kind : new ObjectKind[] {ObjectKind.VOLUME, ObjectKind.SNAPSHOT}) {
      for (ObjectRecord record : records.of(kind).values()) {
        boolean certain = record.state() == ObjectRecord.State.CREATED;
        Names names = tally.of(kind);
        boolean unused = (certain ? names.there : names.uncertain).add(record.name());
      }
    }
    return tally;
  }

  /** An event has ended with that word. */
  void ended(Event event, String outcome) {
    if (event instanceof CreateVolume create) {
      note(volumes, create.name(), true, outcome);
    } else if (event instanceof DeleteVolume delete) {
      note(volumes, delete.volume().text(), false, outcome);
    } else if (event instanceof CreateSnapshot create) {
      note(snapshots, create.name(), true, outcome);
    } else if (event instanceof DeleteSnapshot delete) {
      note(snapshots, delete.snapshot().text(), false, outcome);
    }
  }

  private static void note(Names names, String name, boolean made, String outcome) {
    switch (outcome) {
      case "applied" -> {
        names.uncertain.remove(name);
        boolean unused = made ? names.there.add(name) : names.there.remove(name);
      }
      case "reverted" -> names.uncertain.remove(name);
      case "refused" -> {}
      default -> names.uncertain.add(name);
    }
  }

  /** Names that must be there. */
  SortedSet<String> there(ObjectKind kind) {
    return of(kind).there;
  }

  /** Whether nobody can say if it is there. */
  boolean isUncertain(ObjectKind kind, String name) {
    return of(kind).uncertain.contains(name);
  }

  private Names of(ObjectKind kind) {
    return kind == ObjectKind.VOLUME ? volumes : snapshots;
  }
}
