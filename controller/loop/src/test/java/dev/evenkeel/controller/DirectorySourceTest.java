package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.controller.Rig.Mode;
import dev.evenkeel.controller.source.DirectorySource;
import dev.evenkeel.controller.source.SourceListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files, their source, and a loop that is fed, on all drivers of the loop. */
@DisplayName("A loop fed by a directory")
@Timeout(60)
final class DirectorySourceTest {
  @TempDir Path home;
  private Path folder;
  private Path state;
  private final List<Failure> problems = new CopyOnWriteArrayList<>();

  @BeforeEach
  void folders() throws IOException {
    folder = Files.createDirectory(home.resolve("config"));
    state = home.resolve("config.state");
  }

  private void write(String name, String... lines) throws IOException {
    Path fresh = folder.resolve("." + name);
    Files.write(fresh, List.of(lines));
    Files.move(fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private DirectorySource.Builder source() {
    return DirectorySource.builder("files", folder, state, new JacksonCodecs())
        .kinds(K.TYPE)
        .settle(Duration.ZERO)
        .poll(Duration.ofMillis(50))
        .listener(
            new SourceListener() {
              @Override
              public void onProblem(Failure failure) {
                problems.add(failure);
              }
            });
  }

  private List<String> snapshot() throws IOException {
    try (DirectorySource source = source().open()) {
      return source.snapshot().values().stream().map(DirectorySourceTest::text).toList();
    }
  }

  private static String text(KeyedValue<?> value) {
    return value.key().path() + "=" + value.value();
  }

  private Rig fed(Mode mode, DirectorySource source) {
    Rig rig = new Rig(mode, config -> config, builder -> builder.externalSource(source));
    source.start(rig.loop);
    return rig.resync();
  }

  private static void becomes(Rig rig, Map<String, String> values) {
    rig.until(() -> rig.outside.values.equals(values));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(Mode.class)
  @DisplayName("Rule 39: all files at a resync, then every change of a file as it comes")
  void changes(Mode mode) throws IOException {
    write("a.yaml", "/k/one: 1st", "/k/two: 2nd");
    write("b.json", "{\"/k/three\": \"3rd\"}");
    try (DirectorySource source = source().open();
        Rig rig = fed(mode, source)) {
      becomes(rig, Map.of("one", "1st", "two", "2nd", "three", "3rd"));
      write("a.yaml", "/k/one: changed", "/k/four: 4th");
      becomes(rig, Map.of("one", "changed", "four", "4th", "three", "3rd"));
      Files.delete(folder.resolve("b.json"));
      becomes(rig, Map.of("one", "changed", "four", "4th"));
      assertEquals(List.of(), problems);
    }
  }

  @Test
  @DisplayName("DW-2: a file that cannot be decoded keeps its last good content, and says where")
  void undecodable() throws IOException {
    write("a.yaml", "/k/one: good");
    try (DirectorySource source = source().open();
        Rig rig = fed(Mode.MANUAL, source)) {
      becomes(rig, Map.of("one", "good"));
      write("a.yaml", "/k/one: bad", "/k/one: twice", "  odd");
      rig.until(() -> !problems.isEmpty());
      assertEquals(ErrorKind.INVALID, problems.get(0).kind());
      assertTrue(problems.get(0).message().contains("line "), problems.get(0).message());
      write("c.yaml", "/k/one: ok", "/x/y: 1", "/k/two: [1]");
      rig.until(() -> problems.size() > 1);
      String message = problems.get(1).message();
      assertTrue(
          message.contains("line 2, column 1: is not the path of a key below one of [/k/]")
              && message.contains("line 3, column 1: has a value that cannot be decoded"),
          message);
      write("b.yaml", "/k/three: more");
      becomes(rig, Map.of("one", "good", "three", "more"));
      write("a.yaml", "/k/one: mended");
      becomes(rig, Map.of("one", "mended", "three", "more"));
    }
  }

  @Test
  @DisplayName("two files with one key: the first by name counts, and both are named")
  void twice() throws IOException {
    write("b.yaml", "/k/one: second");
    write("a.yaml", "/k/one: first");
    assertEquals(List.of("/k/one=first"), snapshot());
    assertEquals(1, problems.size());
    assertEquals(ErrorKind.ALREADY_EXISTS, problems.get(0).kind());
    assertEquals("/k/one stands in a.yaml, which counts, and in b.yaml", problems.get(0).message());
    Files.delete(folder.resolve("a.yaml"));
    assertEquals(List.of("/k/one=second"), snapshot());
  }

  @Test
  @DisplayName("what was accepted is still there when the directory is not, and after a crash")
  void durable() throws IOException {
    write("a.yaml", "/k/one: 1st");
    assertEquals(List.of("/k/one=1st"), snapshot());
    write("a.yaml", "/k/one: {");
    assertEquals(List.of("/k/one=1st"), snapshot());
    Files.delete(folder.resolve("a.yaml"));
    Files.delete(folder);
    assertEquals(List.of("/k/one=1st"), snapshot());
    Files.writeString(state.resolveSibling("config.state.new"), "cut off in the midd");
    assertEquals(List.of("/k/one=1st"), snapshot());
    Files.createDirectory(folder);
    assertEquals(List.of(), snapshot());
  }

  @Test
  @DisplayName("what cannot be stored does not count, and is stored when it can be")
  void notStored() throws IOException {
    write("a.yaml", "/k/one: 1st");
    try (DirectorySource source = source().open();
        Rig rig = fed(Mode.RING_OF_2, source)) {
      becomes(rig, Map.of("one", "1st"));
      Path blocked = Files.createDirectory(state.resolveSibling("config.state.new"));
      write("a.yaml", "/k/one: 2nd");
      rig.until(() -> problems.stream().anyMatch(p -> p.operation().equals("store")));
      assertEquals(Map.of("one", "1st"), rig.outside.values);
      Files.delete(blocked);
      becomes(rig, Map.of("one", "2nd"));
    }
  }

  @Test
  @DisplayName("a full loop loses nothing: the change is pushed when there is room")
  void full() throws Exception {
    write("z.yaml", "{}");
    try (DirectorySource source = source().open();
        Rig rig = new Rig(Mode.RING_OF_2, c -> c.capacity(1), b -> b.externalSource(source))) {
      source.start(rig.loop);
      rig.resync();
      java.util.concurrent.CountDownLatch go = new java.util.concurrent.CountDownLatch(1);
      java.util.concurrent.CountDownLatch held = new java.util.concurrent.CountDownLatch(1);
      rig.a.onUpdate =
          (event, turn) -> {
            held.countDown();
            try {
              go.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            return "";
          };
      var first = rig.loop.pushEvent(Ev.of("first"));
      held.await();
      var second = rig.loop.pushEvent(Ev.of("second"));
      assertEquals(List.of(), List.copyOf(rig.outside.values.keySet()));
      write("a.yaml", "/k/one: 1st");
      while (!Files.readString(state).contains("1st")) {
        Thread.onSpinWait(); // until it has been stored, and refused by the loop
      }
      go.countDown();
      Rig.await(first);
      Rig.await(second);
      becomes(rig, Map.of("one", "1st"));
    }
  }

  @Test
  @DisplayName("a state file that is damaged or of a newer version is refused and left as it is")
  void state() throws IOException {
    for (String text : List.of("{\"files\":{},\"version\":2}", "{}", "[]", "not json")) {
      Files.writeString(state, text);
      assertThrows(InvalidInputException.class, () -> source().open());
      assertEquals(text, Files.readString(state));
    }
  }

  @Test
  @DisplayName("what was stored and cannot be decoded any more is reported, and the rest counts")
  void stale() throws IOException {
    Files.delete(folder);
    Files.writeString(
        state,
        "{\"version\":1,\"files\":{\"a.json\":{\"/k/one\":\"1st\",\"/k/two\":[2],\"/x/y\":1}}}");
    assertEquals(List.of("/k/one=1st"), snapshot());
    assertEquals(
        2,
        problems.stream().filter(p -> p.kind() == ErrorKind.INVALID).count(),
        problems::toString);
  }

  @Test
  @DisplayName("a named pipe is no file: it does not hold the source")
  void pipe() throws IOException, InterruptedException {
    Process made =
        new ProcessBuilder("mkfifo", folder.resolve("p.json").toString()).inheritIO().start();
    assertEquals(0, made.waitFor());
    write("a.yaml", "/k/one: 1st");
    assertEquals(List.of("/k/one=1st"), snapshot());
  }

  @Test
  @DisplayName("refuses wrong parts, all at once")
  void refuses() {
    InvalidInputException wrong =
        assertThrows(
            InvalidInputException.class,
            () ->
                DirectorySource.builder("a b", folder, folder.resolve("s"), new JacksonCodecs())
                    .poll(Duration.ZERO)
                    .open());
    assertEquals(
        List.of("name", "kinds", "poll", "state"),
        wrong.faults().stream().map(InvalidInputException.Fault::field).toList());
  }

  @Test
  @DisplayName("has limits: files, their size and their depth; other names are not looked at")
  void limits() throws IOException {
    Files.writeString(folder.resolve("huge.json"), " ".repeat((1 << 20) + 1));
    Files.writeString(folder.resolve("deep.json"), "[".repeat(100) + "]".repeat(100));
    Files.writeString(folder.resolve("readme.txt"), "no");
    Files.writeString(folder.resolve(".hidden.json"), "no");
    Files.createDirectory(folder.resolve("sub.json"));
    assertEquals(List.of(), snapshot());
    assertEquals(2, problems.size(), problems::toString);
    problems.clear();
    for (int i = 0; i < 1_001; i++) {
      Files.writeString(folder.resolve("f%04d.json".formatted(i)), "{\"/k/" + i + "\": \"v\"}");
    }
    assertEquals(999, snapshot().size());
    assertTrue(problems.size() >= 3);
  }
}
