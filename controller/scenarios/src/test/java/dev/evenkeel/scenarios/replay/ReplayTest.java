package dev.evenkeel.scenarios.replay;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Secret;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Found;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.ObjectRef;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.controller.recording.RecordingCodec;
import dev.evenkeel.datastore.MemoryDatastore;
import dev.evenkeel.handlers.volume.VolumeHandlers;
import dev.evenkeel.handlers.volume.VolumeSettings;
import dev.evenkeel.hostpath.HostpathBackend;
import dev.evenkeel.hostpath.HostpathOptions;
import dev.evenkeel.testkit.LoopTestKit;
import dev.evenkeel.testkit.Replays;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A recording of a storage driver")
final class ReplayTest {
  private static final long GIB = 1L << 30;
  private static final String SECRET = "correct horse battery staple";
  private static final RecordingCodec CODEC = RecordingCodec.withVolumes();

  @TempDir private Path folder;
  private Path recording;
  private HostpathBackend backend;

  @BeforeEach
  void record() {
    recording = folder.resolve("run.jsonl");
    backend =
        HostpathBackend.open(folder.resolve("volumes"), HostpathOptions.defaults().durable(false));
    try (LoopTestKit kit = LoopTestKit.create();
        MemoryDatastore store = MemoryDatastore.create()) {
      kit.handlers(handlers(backend, 2))
          .datastore(store, JacksonEventCodec.withVolumes())
          .recordTo(recording, CODEC)
          .given();
      Secrets secrets = Secrets.of(Map.of("passphrase", Secret.of(SECRET)));
      kit.when(CreateVolume.of("data", GIB).with(secrets)).applied();
      kit.when(CreateVolume.of("data", GIB)).applied();
      kit.when(CreateVolume.of("many", GIB)).applied();
      kit.when(CreateVolume.of("too-many", GIB)).reverted();
      kit.when(new CreateSnapshot("s", ObjectRef.named("data"), Secrets.NONE)).applied();
      kit.when(new DeleteVolume(ObjectRef.named("many"), Secrets.NONE)).applied();
    }
  }

  /** The stock ones, and one that lets only so many volumes be made, with a step of its own. */
  private static EventHandler[] handlers(VolumeBackend backend, int most) {
    EventHandler quota =
        Handlers.named("quota")
            .order(Order.after("image").before("state"))
            .on(CreateVolume.class, (event, turn) -> quota(event, turn, most))
            .build();
    List<EventHandler> all =
        new ArrayList<>(VolumeHandlers.stock(backend, VolumeSettings.of("demo")));
    all.add(quota);
    return all.toArray(EventHandler[]::new);
  }

  private static String quota(UpdateEvent event, Turn turn, int most) {
    if (turn.found() instanceof Found.Repeat) {
      return "";
    }
    boolean tooMany = event.describe().contains("too-many") && most < 3;
    var unused =
        turn.txn()
            .step(
                Steps.step("check-quota", Done.class)
                    .apply(
                        context -> {
                          if (tooMany) {
                            throw new IllegalStateException("the quota is " + most);
                          }
                          return new Done(false);
                        })
                    .undo((context, done) -> {}));
    return most < 3 ? "checks the quota" : "checks a large quota";
  }

  @Test
  @DisplayName("replays to the same decisions, without an effect, in one line")
  void same() throws Exception {
    var before = backend.images();
    Replays.verify(recording, CODEC, handlers(backend, 2));
    Replays.verifyAll(folder, CODEC, handlers(backend, 2));
    assertTrue(before.equals(backend.images()), "a replay has no effect");
  }

  @Test
  @DisplayName("tells in words when a handler decides otherwise now")
  void changedHandler() {
    AssertionError different =
        assertThrows(
            AssertionError.class, () -> Replays.verify(recording, CODEC, handlers(backend, 3)));
    String text = String.valueOf(different.getMessage());
    assertTrue(text.startsWith("run.jsonl: turn "), text);
    assertTrue(text.contains("first difference: change: "), text);
    assertTrue(text.contains("\"checks the quota\" became \"checks a large quota\""), text);
  }

  @Test
  @DisplayName("tells when a handler is missing")
  void missingHandler() {
    EventHandler[] stock =
        VolumeHandlers.stock(backend, VolumeSettings.of("demo")).toArray(EventHandler[]::new);
    AssertionError different =
        assertThrows(AssertionError.class, () -> Replays.verify(recording, CODEC, stock));
    assertTrue(String.valueOf(different.getMessage()).contains("quota"), different::toString);
  }

  @Test
  @DisplayName("that a crash has cut off is replayed up to there")
  void cutOff() throws Exception {
    String text = Files.readString(recording);
    Path cut = Files.writeString(folder.resolve("cut.jsonl"), text.substring(0, text.length() / 2));
    AssertionError or = null;
    try {
      Replays.verify(cut, CODEC, handlers(backend, 2));
    } catch (AssertionError missing) {
      or = missing;
    }
    assertTrue(or == null || or.getMessage().contains("nothing more in this turn"), "" + or);
  }

  @Test
  @DisplayName("holds no secret")
  void noSecret() throws Exception {
    String text = Files.readString(recording);
    assertTrue(text.contains("create-volume"));
    assertTrue(!text.contains(SECRET) && !text.contains("passphrase"));
  }
}
