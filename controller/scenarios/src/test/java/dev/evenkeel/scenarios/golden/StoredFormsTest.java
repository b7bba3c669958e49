package dev.evenkeel.scenarios.golden;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Fields;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.Lane;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.api.handler.StateName;
import dev.evenkeel.api.volume.AttachmentKey;
import dev.evenkeel.api.volume.AttachmentRecord;
import dev.evenkeel.api.volume.DeviceMountState;
import dev.evenkeel.api.volume.MountKey;
import dev.evenkeel.api.volume.MountRecord;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.NameRecord;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectKind;
import dev.evenkeel.api.volume.ObjectRecord;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.codec.jackson.KeyTypes;
import dev.evenkeel.controller.recording.RecorderOptions;
import dev.evenkeel.controller.recording.RecordingCodec;
import dev.evenkeel.controller.recording.Recordings;
import dev.evenkeel.controller.source.DirectorySource;
import dev.evenkeel.store.local.LocalDatastore;
import dev.evenkeel.testkit.LoopTestKit;
import dev.evenkeel.testkit.Replays;
import dev.evenkeel.txn.operation.DoneKey;
import dev.evenkeel.txn.operation.DoneRecord;
import dev.evenkeel.txn.operation.OpenKey;
import dev.evenkeel.txn.operation.OpenRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each stored form in its first version, in a file: every later build reads it, and a newer one is
 * refused and left as it is. With {@code GOLDEN_UPDATE} in the environment, missing files are
 * written; one that is there is never changed.
 */
@DisplayName("What is stored")
final class StoredFormsTest {
  private static final Path CORPUS =
      Path.of(System.getProperty("evenkeel.root"))
          .resolve("controller/scenarios/src/test/resources/golden");
  private static final boolean UPDATE = System.getenv("GOLDEN_UPDATE") != null;
  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.000000006Z");
  private static final Call CALL = Call.usual();

  @TempDir Path home;

  /** One stored form. */
  record Form<V>(String name, Key<V> key, V value, boolean versioned) {
    @Override
    public String toString() {
      return name;
    }

    Path file() {
      return CORPUS.resolve("records").resolve(name + ".json");
    }
  }

  static Stream<Form<?>> forms() {
    SortedMap<String, String> parameters = new TreeMap<>();
    parameters.put("iops", "100");
    parameters.put("odd", "ä \"quoted\" \\ \n");
    return Stream.of(
        new Form<>(
            "name-1", new NameKey(ObjectKind.VOLUME, "pvc/ä"), new NameRecord("0001-u"), false),
        new Form<>(
            "object-1",
            new ObjectKey(ObjectKind.VOLUME, "0001-u"),
            new ObjectRecord(
                1,
                "0001-u",
                "0001-0007-cluster-0001-u",
                "pvc/ä",
                ObjectRecord.State.CREATED,
                "csi-vol-0001-u",
                Optional.of("image-7"),
                1L << 40,
                Optional.of("snapshot-3"),
                parameters,
                "t-1",
                TIME),
            true),
        new Form<>(
            "journal-open-1",
            new OpenKey("volume/pvc"),
            new OpenRecord(
                1,
                "t-1",
                "create-volume",
                "volume/pvc",
                Optional.of("f-1"),
                Lane.Completion.KEEP,
                "create-volume",
                1,
                "{\"name\":\"pvc\"}",
                7,
                TIME),
            true),
        new Form<>(
            "journal-done-1",
            new DoneKey("volume/pvc"),
            new DoneRecord(1, "t-1", "create-volume", "volume/pvc", Optional.empty(), TIME),
            true),
        new Form<>(
            "mount-1",
            new MountKey("0001-u", "node/ä", "/var/lib/target"),
            new MountRecord(
                "0001-u",
                "node/ä",
                "/dev/loop7",
                "/var/lib/staging",
                Optional.of("/var/lib/target"),
                DeviceMountState.UNCERTAIN,
                "t-1"),
            true),
        new Form<>(
            "attachment-1",
            new AttachmentKey("0001-u", "node/ä"),
            new AttachmentRecord("0001-u", "node/ä", true, false, "t-1"),
            true),
        new Form<>(
            "group-name-1", new NameKey(ObjectKind.GROUP, "all"), new NameRecord("0002-u"), false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forms")
  @DisplayName("records: the first version is read, and is what is written")
  <V> void records(Form<V> form) throws IOException {
    JacksonCodecs codecs = new JacksonCodecs();
    KeyType<V> type = form.key().type();
    byte[] now = codecs.toBytes(type, form.value());
    if (!Files.exists(form.file()) && UPDATE) {
      Files.createDirectories(form.file().getParent());
      Files.write(form.file(), now);
    }
    byte[] first = Files.readAllBytes(form.file());
    assertEquals(form.value(), codecs.fromBytes(type, "a key", first));
    assertEquals(
        new String(first, StandardCharsets.UTF_8), new String(now, StandardCharsets.UTF_8));
    assertEquals(form.key(), type.parse(form.key().path()).orElseThrow());
    if (form.versioned()) {
      byte[] newer =
          new String(first, StandardCharsets.UTF_8)
              .replace("\"version\":1", "\"version\":2,\"what\":\"nobody knows\"")
              .getBytes(StandardCharsets.UTF_8);
      assertThrows(
          DatastoreException.NewerVersion.class, () -> codecs.fromBytes(type, "a key", newer));
    }
  }

  /** A key with fields, as mirrors and others keep. */
  record Note(String name) implements Key<Fields> {
    static final KeyType<Fields> TYPE = KeyType.named("note", "/notes/", Fields.class, Note::new);

    @Override
    public String path() {
      return KeyPaths.join(TYPE.prefix(), name);
    }

    @Override
    public KeyType<Fields> type() {
      return TYPE;
    }
  }

  /** An event of a recording. */
  record Noted(String name, long much) implements UpdateEvent {
    static final EventType<Noted> TYPE = EventType.of("noted", Noted.class);

    @Override
    public EventType<Noted> type() {
      return TYPE;
    }

    @Override
    public String describe() {
      return name + " " + much;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.bestEffort();
    }
  }

  @Test
  @DisplayName("recording: one of an earlier version replays to the same; a newer one is refused")
  void recording() throws IOException {
    Path golden = CORPUS.resolve("recording-2");
    RecordingCodec codec = RecordingCodec.of(KeyTypes.NONE, List.of(), Noted.TYPE);
    StateName<Long> totals = StateName.of("totals", Long.class);
    EventHandler adds =
        Handlers.named("adds")
            .resync((event, turn) -> {})
            .on(
                Noted.class,
                (noted, turn) -> {
                  var state = turn.state(totals);
                  state.put(noted.name(), state.get(noted.name()).orElse(0L) + noted.much());
                  return "a total";
                })
            .build();
    if (!Files.exists(golden) && UPDATE) {
      try (LoopTestKit kit = LoopTestKit.create()) {
        RecorderOptions two = RecorderOptions.usual().segments(1 << 20, 4, Duration.ofDays(1));
        kit.handlers(adds).recordIn(golden, codec, two).given();
        for (int i = 0; i < 6; i++) {
          kit.when(new Noted("n" + i % 2, i)).applied();
        }
      }
    }
    Replays.verifyAll(golden, codec, adds);

    Path newer = home.resolve("newer");
    copy(golden, newer);
    try (Stream<Path> files = Files.list(newer)) {
      for (Path file : files.toList()) {
        if (file.toString().endsWith(".jsonl")) {
          String text = Files.readString(file);
          assertTrue(text.contains("\"version\":2"), text);
          Files.writeString(file, text.replaceFirst("\"version\":2", "\"version\":3"));
        } else {
          Files.delete(file);
        }
      }
    }
    SortedMap<String, byte[]> before = content(newer);
    assertThrows(EvenkeelException.class, () -> Recordings.read(newer, codec, turn -> {}));
    content(newer).forEach((name, bytes) -> assertArrayEquals(before.get(name), bytes, name));
  }

  @Test
  @DisplayName("local store: a folder of the first version is read; a newer one is left as it is")
  void localStore() throws IOException {
    Path golden = CORPUS.resolve("local-store-1");
    Note note = new Note("ä/b");
    Fields value = Fields.empty().with("a", "1");
    if (!Files.exists(golden) && UPDATE) {
      Path made = home.resolve("made");
      try (LocalDatastore store = LocalDatastore.open(made, new JacksonCodecs())) {
        store.blocking().create(KeyValue.of(note, value), CALL);
        store.blocking().create(KeyValue.of(new Note("gone"), value), CALL);
        store.blocking().delete(new Note("gone"), dev.evenkeel.api.datastore.Revision.NONE, CALL);
      }
      copy(made, golden);
    }
    Path old = home.resolve("old");
    copy(golden, old);
    try (LocalDatastore store = LocalDatastore.open(old, new JacksonCodecs())) {
      var found = store.blocking().get(note, CALL);
      assertEquals(Optional.of(value), found.value());
      assertEquals("2", found.revision().text());
      assertTrue(store.blocking().find(new Note("gone"), CALL).isEmpty());
      assertEquals(
          "5",
          store.blocking().create(KeyValue.of(new Note("new"), value), CALL).revision().text());
    }
    Path newer = home.resolve("newer");
    copy(golden, newer);
    Files.writeString(newer.resolve("FORMAT"), "evenkeel-local-store 2\n");
    Files.writeString(newer.resolve("db").resolve("CURRENT"), "nobody knows\n");
    SortedMap<String, byte[]> before = content(newer);
    assertThrows(
        DatastoreException.NewerVersion.class,
        () -> LocalDatastore.open(newer, new JacksonCodecs()));
    SortedMap<String, byte[]> after = content(newer);
    assertEquals(before.keySet(), after.keySet());
    before.forEach((name, bytes) -> assertArrayEquals(bytes, after.get(name), name));
  }

  @Test
  @DisplayName("directory source: its state file of the first version is read; a newer one is left")
  void directoryState() throws IOException {
    Path golden = CORPUS.resolve("directory-source-1.json");
    if (!Files.exists(golden) && UPDATE) {
      Path folder = Files.createDirectory(home.resolve("config"));
      Files.writeString(folder.resolve("a.json"), "{\"/notes/one\": {\"a\": \"1\"}}");
      source(folder, home.resolve("state")).open().close();
      Files.copy(home.resolve("state"), golden);
    }
    Path state = home.resolve("old.state");
    Files.copy(golden, state);
    try (DirectorySource source = source(home.resolve("nowhere"), state).open()) {
      assertEquals(
          Optional.of(Fields.empty().with("a", "1")), source.snapshot().get(new Note("one")));
    }
    Path newer = home.resolve("newer.state");
    String text = Files.readString(golden).replace("\"version\":1", "\"version\":2");
    Files.writeString(newer, text);
    assertThrows(InvalidInputException.class, () -> source(home.resolve("nowhere"), newer).open());
    assertEquals(text, Files.readString(newer));
  }

  private static DirectorySource.Builder source(Path folder, Path state) {
    return DirectorySource.builder("files", folder, state, new JacksonCodecs()).kinds(Note.TYPE);
  }

  private static SortedMap<String, byte[]> content(Path folder) throws IOException {
    SortedMap<String, byte[]> found = new TreeMap<>();
    for (Path file : filesOf(folder)) {
      if (!file.endsWith("lock")) {
        found.put(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
    return found;
  }

  private static List<Path> filesOf(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Without what only tells of the process that wrote it. */
  private static void copy(Path from, Path to) throws IOException {
    for (Path file : filesOf(from)) {
      String name = file.getFileName().toString();
      if (!name.startsWith("LOG") && !name.equals("lock") && !name.equals("LOCK")) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }
}
