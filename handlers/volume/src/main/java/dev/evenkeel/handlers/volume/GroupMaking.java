package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.volume.CreateGroupSnapshot;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.GroupSnapshot;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.ImageSpec;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.api.volume.ObjectRecord.State;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.Snapshot;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.api.volume.VolumeLocks;
import dev.evenkeel.api.volume.VolumeNames;
import dev.evenkeel.api.volume.VolumeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes a group, or answers from the record of one. */
final class GroupMaking {
  private final VolumeBackend backend;
  private final VolumeSettings settings;

  GroupMaking(VolumeBackend backend, VolumeSettings settings) {
    this.backend = backend;
    this.settings = settings;
  }

  /** A snapshot that is being made. */
  private record Cut(ObjectRecord record, Ref<Image> image) {}

  String update(CreateGroupSnapshot create, Turn turn, Records records) {
    Optional<ObjectRecord> there =
        records.byName(ObjectKind.GROUP, create.name()).flatMap(Records.Entry::record);
    SortedMap<String, ObjectRecord> sources = sources(create, turn, records, there);
    there
        .filter(group -> !group.parameters().keySet().equals(sources.keySet()))
        .ifPresent(
            group -> {
              throw new EvenkeelException(
                  ErrorKind.ALREADY_EXISTS, group.name() + " exists, made of other volumes");
            });
    if (there.filter(group -> group.state() == State.CREATED).isPresent()) {
      turn.answer(create, Answers.group(there.get(), uuid -> member(turn, uuid)));
      return "is there";
    }
    make(create, turn, sources, there.orElseGet(() -> blank(create, turn, sources)));
    return "makes snapshots of " + sources.size() + " volumes";
  }

  private static Optional<ObjectRecord> member(Turn turn, String uuid) {
    return turn.loaded(new ObjectKey(ObjectKind.SNAPSHOT, uuid));
  }

  /** By id. A source that has gone since the group was complete is only missed by new groups. */
  private SortedMap<String, ObjectRecord> sources(
      CreateGroupSnapshot create, Turn turn, Records records, Optional<ObjectRecord> there) {
    boolean complete = there.filter(group -> group.state() == State.CREATED).isPresent();
    SortedMap<String, ObjectRecord> sources = new TreeMap<>();
    for (ObjectRef ref : create.sources()) {
      Optional<ObjectRecord> found =
          records.find(ObjectKind.VOLUME, ref).flatMap(Records.Entry::record);
      if (complete && found.isEmpty()) {
        return new TreeMap<>(byId(there.get()));
      }
      ObjectRecord source = found.orElseThrow(() -> NodeVolume.absent(ref));
      if (!complete) {
        Reservations.checkComplete(source);
        lock(source, turn);
      }
      if (sources.put(source.id(), source) != null) {
        throw InvalidInputException.of(
            "create-group-snapshot", "sources", ref.text(), "is named twice");
      }
    }
    return sources;
  }

  private static SortedMap<String, ObjectRecord> byId(ObjectRecord group) {
    SortedMap<String, ObjectRecord> ids = new TreeMap<>();
    group.parameters().keySet().forEach(id -> ids.put(id, group));
    return ids;
  }

  private static void lock(ObjectRecord source, Turn turn) {
    turn.lock(LockKey.of(VolumeLocks.volume(source.id()), LockMode.SNAPSHOT_SOURCE));
    turn.lock(LockKey.of(VolumeLocks.volume(source.name()), LockMode.SNAPSHOT_SOURCE));
  }

  private ObjectRecord blank(
      CreateGroupSnapshot create, Turn turn, SortedMap<String, ObjectRecord> sources) {
    SortedMap<String, String> members = new TreeMap<>();
    sources.keySet().forEach(id -> members.put(id, turn.newId()));
    return record(
        ObjectKind.GROUP, turn.newId(), create.name(), turn, Optional.empty(), 0, members);
  }

  private ObjectRecord record(
      ObjectKind kind,
      String uuid,
      String name,
      Turn turn,
      Optional<String> source,
      long size,
      SortedMap<String, String> parameters) {
    return new ObjectRecord(
        ObjectRecord.VERSION,
        uuid,
        settings.id(uuid),
        name,
        State.RESERVED,
        VolumeSettings.image(kind, uuid),
        Optional.empty(),
        size,
        source,
        parameters,
        turn.transaction(),
        turn.now());
  }

  private void make(
      CreateGroupSnapshot create,
      Turn turn,
      SortedMap<String, ObjectRecord> sources,
      ObjectRecord group) {
    reserve(ObjectKind.GROUP, group, turn);
    List<Cut> cuts = new ArrayList<>();
    sources.forEach((id, source) -> cuts.add(cut(turn, group, source)));
    for (Cut cut : cuts) {
      Ref<Done> unused =
          turn.txn().step(backend.writeMetadata(cut.record().image(), metadata(group, cut)));
    }
    turn.txn()
        .records(
            RecordPhase.SUCCESS,
            (results, writer) -> {
              for (Cut cut : cuts) {
                ObjectRecord done = done(cut, results.get(cut.image()));
                settings.snapshotter().markSnapshotAsCreated(done, writer);
                settings.snapshotter().addSnapshotToCluster(done, writer);
              }
              writer.put(
                  new ObjectKey(ObjectKind.GROUP, group.uuid()),
                  group.in(State.CREATED, group.transaction()));
            });
    turn.answerFrom(
        create,
        results -> {
          List<Snapshot> members = new ArrayList<>();
          cuts.forEach(cut -> members.add(Answers.snapshot(done(cut, results.get(cut.image())))));
          return new GroupSnapshot(group.id(), group.name(), members, group.created());
        });
  }

  private static ObjectRecord done(Cut cut, Image image) {
    return cut.record().created(image.id(), image.size(), cut.record().transaction());
  }

  private Cut cut(Turn turn, ObjectRecord group, ObjectRecord source) {
    String uuid =
        Optional.ofNullable(group.parameters().get(source.id()))
            .orElseThrow(() -> new IllegalStateException("no member for " + source.id()));
    boolean begun = turn.found() instanceof dev.evenkeel.api.handler.Found.Interrupted;
    ObjectRecord record =
        (begun ? member(turn, uuid) : Optional.<ObjectRecord>empty())
            .orElseGet(
                () ->
                    record(
                        ObjectKind.SNAPSHOT,
                        uuid,
                        Member.name(group, source.id()),
                        turn,
                        Optional.of(VolumeSource.Kind.VOLUME + ":" + source.id()),
                        source.size(),
                        source.parameters()));
    reserve(ObjectKind.SNAPSHOT, record, turn);
    ImageSpec spec =
        new ImageSpec(
            record.image(), record.size(), VolumeNames.parameters(record.parameters(), false));
    Ref<Image> image =
        ImageHandler.able(backend, backend.snapshots(), "make snapshots")
            .snapshot(source.image(), spec)
            .addTo(turn.txn());
    return new Cut(record, image);
  }

  private static void reserve(ObjectKind kind, ObjectRecord record, Turn turn) {
    turn.txn().reserve(new NameKey(kind, record.name()), new NameRecord(record.uuid()));
    turn.txn().reserve(new ObjectKey(kind, record.uuid()), record);
  }

  private static SortedMap<String, String> metadata(ObjectRecord group, Cut cut) {
    SortedMap<String, String> metadata = new TreeMap<>();
    metadata.put("evenkeel.name", cut.record().name());
    metadata.put("evenkeel.id", cut.record().id());
    metadata.put("evenkeel.group", group.id());
    cut.record().source().ifPresent(source -> metadata.put("evenkeel.source", source));
    return metadata;
  }
}
