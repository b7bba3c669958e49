package dev.evenkeel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.api.handler.StateName;
import dev.evenkeel.codec.jackson.KeyTypes;
import dev.evenkeel.controller.recording.Difference;
import dev.evenkeel.controller.recording.RecordedTurn;
import dev.evenkeel.controller.recording.RecorderOptions;
import dev.evenkeel.controller.recording.RecorderOptions.Durability;
import dev.evenkeel.controller.recording.RecorderOptions.WhenSlow;
import dev.evenkeel.controller.recording.RecordingCodec;
import dev.evenkeel.controller.recording.Recordings;
import dev.evenkeel.controller.recording.Replayer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A recording in segments")
final class SegmentsTest {
  private static final StateName<Long> TOTALS = StateName.of("totals", Long.class);

  /** Adds something to a total. */
  record Add(String to, int much) implements UpdateEvent {
    static final EventType<Add> TYPE = EventType.of("add", Add.class);

    @Override
    public EventType<Add> type() {
      return TYPE;
    }

    @Override
    public String describe() {
      return "add " + much + " to " + to;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.bestEffort();
    }
  }

  private static final RecordingCodec CODEC = RecordingCodec.of(KeyTypes.NONE, List.of(), Add.TYPE);

  @TempDir private Path temp;

  /** Keeps totals in its state map. */
  private static EventHandler adder(IntUnaryOperator counts) {
    return Handlers.named("adder")
        .resync((event, turn) -> {})
        .on(
            Add.class,
            (add, turn) -> {
              var totals = turn.state(TOTALS);
              long now = totals.get(add.to()).orElse(0L) + counts.applyAsInt(add.much());
              totals.put(add.to(), now);
              return "a total";
            })
        .build();
  }

  private Path record(RecorderOptions options) {
    Path folder = temp.resolve("recording");
    try (LoopTestKit kit = LoopTestKit.create()) {
      kit.handlers(adder(much -> much)).recordIn(folder, CODEC, options).given();
      for (int i = 0; i < 40; i++) {
        kit.when(new Add("t" + i % 3, i)).applied();
        kit.advance(Duration.ofMinutes(1));
      }
    }
    return folder;
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static RecorderOptions tens(Durability durability) {
    return RecorderOptions.usual().with(durability).segments(1 << 30, 10, Duration.ofDays(100));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Durability.class)
  @DisplayName("replays to the same; closed ones are packed, the last one is plain")
  void replays(Durability durability) throws Exception {
    Path folder = record(tens(durability));
    List<String> names = names(folder);
    assertTrue(names.size() > 3, names::toString);
    assertTrue(
        names.subList(0, names.size() - 1).stream().allMatch(name -> name.endsWith(".jsonl.gz")),
        names::toString);
    assertTrue(names.get(names.size() - 1).endsWith(".jsonl"), names::toString);
    Replays.verifyAll(folder, CODEC, adder(much -> much));
    Replays.verifyAll(temp, CODEC, adder(much -> much));
  }

  @Test
  @DisplayName("begins a new one by age and by size, too, each with the state that handlers hold")
  void rotates() throws Exception {
    List<RecordedTurn> first = new ArrayList<>();
    Path folder =
        record(RecorderOptions.usual().segments(1 << 30, 1 << 30, Duration.ofMinutes(10)));
    Recordings.read(folder, CODEC, turn -> turn.states().ifPresent(states -> first.add(turn)));
    assertTrue(first.size() >= 4, () -> "segments: " + first.size());
    assertEquals("{}", first.get(0).states().orElseThrow().toString());
    assertTrue(
        first.get(1).states().orElseThrow().toString().contains("totals={t0="), first::toString);
  }

  @Test
  @DisplayName("tells of state that a handler holds otherwise, even when it says the same")
  void state() {
    Path folder = record(tens(Durability.NONE));
    Difference found =
        Replayer.of(CODEC, List.of(adder(much -> much + 1))).replay(folder).orElseThrow();
    assertEquals("states", found.field());
    assertEquals("segment-000002.jsonl.gz", found.file());
    assertTrue(found.text().contains("likely cause: a handler puts other state"), found::text);
  }

  @Test
  @DisplayName("can be compared from one turn to another alone")
  void part() {
    Path folder = record(tens(Durability.NONE));
    Replayer changed = Replayer.of(CODEC, List.of(adder(much -> much == 39 ? 0 : much)));
    assertEquals(Optional.empty(), changed.turns(1, 30).replay(folder));
  }

  @Test
  @DisplayName("names the file that is damaged, or missing")
  void damage() throws Exception {
    Path folder = record(tens(Durability.NONE));
    Path second = folder.resolve("segment-000002.jsonl.gz");
    byte[] bytes = Files.readAllBytes(second);
    bytes[bytes.length / 2] ^= 0x40;
    Files.write(second, bytes);
    Replayer replayer = Replayer.of(CODEC, List.of(adder(much -> much)));
    EvenkeelException damaged =
        assertThrows(EvenkeelException.class, () -> replayer.replay(folder));
    assertEquals(ErrorKind.INVALID, damaged.kind());
    assertTrue(damaged.toString().contains("segment-000002.jsonl.gz"), damaged::toString);
    Files.delete(second);
    EvenkeelException missing =
        assertThrows(EvenkeelException.class, () -> replayer.replay(folder));
    assertTrue(missing.toString().contains("segment-000003"), missing::toString);
    Files.delete(folder.resolve("segment-000001.jsonl.gz"));
    assertEquals(
        ErrorKind.FAILED_PRECONDITION,
        assertThrows(EvenkeelException.class, () -> replayer.replay(folder)).kind());
  }

  @Test
  @DisplayName("is of a folder that holds none")
  void neverOverwrites() {
    Path folder = record(tens(Durability.NONE));
    assertEquals(
        ErrorKind.ALREADY_EXISTS,
        assertThrows(
                EvenkeelException.class,
                () -> LoopTestKit.create().recordIn(folder, CODEC, RecorderOptions.usual()))
            .kind());
  }

  @Test
  @DisplayName("ends at its limit, and is replayed up to there")
  void full() {
    Path folder = record(RecorderOptions.usual().with(Durability.NONE).most(4000));
    List<RecordedTurn> turns = new ArrayList<>();
    Recordings.read(folder, CODEC, turns::add);
    assertTrue(turns.size() > 2 && turns.size() < 30, () -> "turns: " + turns.size());
    Replays.verify(folder, CODEC, adder(much -> much));
  }

  @Test
  @DisplayName("blocks by default: with one line that may wait nothing is lost")
  void blocks() {
    Path folder = record(RecorderOptions.usual().with(WhenSlow.BLOCK, 1));
    Replays.verify(folder, CODEC, adder(much -> much));
  }

  @Test
  @DisplayName("has a marker where lines were left out, and is replayed up to there")
  void drops() throws Exception {
    Path folder = record(tens(Durability.NONE));
    Path last = folder.resolve(names(folder).get(names(folder).size() - 1));
    // The marker as the recorder writes it; a disk that does not follow cannot be had at will.
    String text = Files.readString(last);
    int cut = text.indexOf('\n', text.length() / 2) + 1;
    Files.writeString(last, text.substring(0, cut) + "{\"dropped\":7}\n" + text.substring(cut));
    EvenkeelException gap =
        assertThrows(
            EvenkeelException.class,
            () -> Replayer.of(CODEC, List.of(adder(much -> much))).replay(folder));
    assertTrue(gap.toString().contains("7 lines are missing"), gap::toString);
  }

  @Test
  @DisplayName("JT-10 a version is what was recorded; code that asks replays what has not asked")
  void versions() {
    Path before = temp.resolve("before.jsonl");
    run(before, versioned(0, 0));
    Replays.verify(before, CODEC, versioned(1, 2));
    Path after = temp.resolve("after.jsonl");
    run(after, versioned(1, 2));
    Replays.verify(after, CODEC, versioned(1, 3));
    AssertionError gone =
        assertThrows(AssertionError.class, () -> Replays.verify(after, CODEC, versioned(3, 4)));
    assertTrue(gone.toString().contains("quota is asked for between 3 and 4"), gone::toString);
    assertThrows(AssertionError.class, () -> Replays.verify(after, CODEC, versioned(0, 0)));
  }

  /** Says which version it goes by; 0 is code from before the question, which is version 1. */
  private static EventHandler versioned(int lowest, int highest) {
    return Handlers.named("adder")
        .resync((event, turn) -> {})
        .on(
            Add.class,
            (add, turn) -> "as in " + (highest == 0 ? 1 : turn.version("quota", lowest, highest)))
        .build();
  }

  private static void run(Path file, EventHandler handler) {
    try (LoopTestKit kit = LoopTestKit.create()) {
      kit.handlers(handler).recordTo(file, CODEC).given();
      kit.when(new Add("t", 1)).applied();
    }
  }

  @Test
  @DisplayName("gives up on a handler that does not end")
  void idle() {
    Path file = temp.resolve("run.jsonl");
    run(file, adder(much -> much));
    CountDownLatch never = new CountDownLatch(1);
    EventHandler stuck =
        adder(
            much -> {
              try {
                never.await();
              } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
              }
              return much;
            });
    EvenkeelException late =
        assertThrows(
            EvenkeelException.class,
            () -> Replayer.of(CODEC, List.of(stuck)).idleLimit(Duration.ofSeconds(1)).replay(file));
    assertEquals(ErrorKind.DEADLINE_EXCEEDED, late.kind());
  }
}
