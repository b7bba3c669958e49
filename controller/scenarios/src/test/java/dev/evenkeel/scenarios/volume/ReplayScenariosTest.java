package dev.evenkeel.scenarios.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.Volume;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.recording.RecordingCodec;
import dev.evenkeel.handlers.volume.VolumeHandlers;
import dev.evenkeel.handlers.volume.VolumeSettings;
import dev.evenkeel.testkit.LoopTestKit;
import dev.evenkeel.testkit.Replays;
import dev.evenkeel.testkit.Then;
import dev.evenkeel.txn.Action;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A replay decides the same")
final class ReplayScenariosTest {
  private static final long GIB = 1L << 30;
  private static final RecordingCodec CODEC = RecordingCodec.withVolumes();
  private static final ObjectRef DATA = ObjectRef.named("data");

  @TempDir private Path folder;
  private Site site;

  @BeforeEach
  void open() {
    site = Site.in(folder.resolve("volumes"));
  }

  @AfterEach
  void close() {
    site.close();
  }

  private EventHandler[] handlers(Life life) {
    return VolumeHandlers.stock(new MortalBackend(site.backend, life), VolumeSettings.of("demo"))
        .toArray(EventHandler[]::new);
  }

  /** Runs something, and replays it; gives the recording. */
  private String replayed(Life life, Consumer<LoopTestKit> run) throws Exception {
    Path file = folder.resolve("run.jsonl");
    try (LoopTestKit kit = LoopTestKit.create()) {
      kit.handlers(handlers(life))
          .datastore(new MortalDatastore(site.store, life), JacksonEventCodec.withVolumes())
          .recordTo(file, CODEC)
          .given();
      run.accept(kit);
    }
    Replays.verify(file, CODEC, handlers(Life.untilPoint(0)));
    return Files.readString(file);
  }

  @Test
  @DisplayName("of an operation that was interrupted by a crash and goes on")
  void interrupted() throws Exception {
    assertFalse(site.once(Life.untilPoint(4), CreateVolume.of("data", GIB)).isSuccess());
    String text = replayed(Life.whole(), kit -> kit.when(CreateVolume.of("data", GIB)).applied());
    assertTrue(text.contains("\"open\":{"), "the journal's intent is in it");
  }

  @Test
  @DisplayName("of an operation that another one has to end first")
  void recovered() throws Exception {
    assertFalse(site.once(Life.untilPoint(4), CreateVolume.of("data", GIB)).isSuccess());
    CreateVolume other = CreateVolume.of("data", GIB).with("kind", "file");
    var unused = replayed(Life.whole(), kit -> kit.when(other).applied());
  }

  @Test
  @DisplayName("of failures that were undone, and of one whose undo failed")
  void failures() throws Exception {
    var unused =
        replayed(
            Life.whole()
                .failing(
                    "after create-image", "after write-metadata", "before undoing create-image"),
            kit -> {
              kit.when(CreateVolume.of("data", GIB)).reverted();
              Then<Volume> incomplete = kit.when(CreateVolume.of("data", GIB));
              assertFalse(
                  assertInstanceOf(Outcome.Reverted.class, incomplete.outcome()).complete());
              kit.when(CreateVolume.of("data", GIB)).applied();
              kit.advance(Duration.ofMinutes(1));
            });
  }

  @Test
  @DisplayName("of operations that overlap, and of a call that returns after its limit")
  void overlapping() throws Exception {
    var unused =
        replayed(
            Life.whole(),
            kit -> {
              kit.when(CreateVolume.of("data", GIB)).applied();
              kit.loop().hold(action -> action.kind() == Action.Kind.APPLY);
              Then<?> grow =
                  kit.when(new ExpandVolume(DATA, SizeRange.atLeast(2 * GIB), Secrets.NONE));
              Then<?> make = kit.when(CreateVolume.of("other", GIB)).waits();
              kit.when(new DeleteVolume(DATA, Secrets.NONE)).refused();
              kit.advance(Duration.ofMinutes(3));
              assertEquals("unfinished", grow.outcome().word());
              assertEquals("unfinished", make.outcome().word());
              kit.when(new CreateSnapshot("cut", DATA, Secrets.NONE)).refused();
              kit.loop().releaseAll();
              kit.when(new CreateSnapshot("cut", DATA, Secrets.NONE)).applied();
              kit.when(CreateVolume.of("other", GIB)).applied();
            });
  }
}
