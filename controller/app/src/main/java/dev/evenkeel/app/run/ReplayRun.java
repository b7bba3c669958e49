package dev.evenkeel.app.run;

import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.controller.recording.Difference;
import dev.evenkeel.controller.recording.RecordedTurn;
import dev.evenkeel.controller.recording.RecordingCodec;
import dev.evenkeel.controller.recording.Recordings;
import dev.evenkeel.controller.recording.Replayer;
import dev.evenkeel.handlers.volume.VolumeHandlers;
import dev.evenkeel.handlers.volume.VolumeSettings;
import dev.evenkeel.hostpath.HostpathBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;

/** Replays what the demo or a workload has recorded, with the handlers of this build. */
public final class ReplayRun {
  private final FaultHandler faults;
  private final List<EventHandler> handlers;
  private final TreeSet<Long> faulty = new TreeSet<>();
  private long turns;
  private long events;

  private ReplayRun(VolumeBackend backend) {
    handlers = new ArrayList<>(VolumeHandlers.stock(backend, VolumeSettings.of(Session.CLUSTER)));
    faults = new FaultHandler(handlers.stream().map(EventHandler::name).toList());
    handlers.add(faults);
  }

  /**
   * What came of it.
   *
   * @param same whether every decision was the same
   * @param text for people
   */
  public record Result(boolean same, String text) {}

  /**
   * Replays a recording; blocks. The backend that the handlers are given is an empty folder: only
   * what needs no disk is asked of it.
   */
  public static Result of(Path recording, long from, long to) throws IOException {
    Path empty = Files.createTempDirectory("evenkeel-replay-");
    try (VolumeBackend backend = HostpathBackend.open(empty)) {
      return new ReplayRun(backend).replay(recording, from, to);
    } finally {
      DiskTree.delete(empty);
    }
  }

  private Result replay(Path recording, long from, long to) {
    RecordingCodec codec = RecordingCodec.withVolumes();
    Recordings.read(recording, codec, this::note);
    Optional<Difference> difference =
        Replayer.of(codec, handlers).before(this::arm).turns(from, to).replay(recording);
    return difference.isPresent()
        ? new Result(false, difference.get().file() + ": " + difference.get())
        : new Result(true, turns + " turns, " + events + " events: every decision is the same");
  }

  /** Which events were made to fail on purpose: nothing in the events themselves says so. */
  private void note(RecordedTurn turn) {
    turns++;
    events += "submitted".equals(turn.input().get("kind")) ? 1 : 0;
    for (SortedMap<String, Object> decision : turn.decisions()) {
      if (faults.name().equals(decision.get("handler"))
          && decision.get("event") instanceof Long id) {
        faulty.add(id);
      }
    }
  }

  private void arm(RecordedTurn turn) {
    if ("submitted".equals(turn.input().get("kind"))
        && turn.input().get("event") instanceof SortedMap<?, ?> event
        && event.get("name") instanceof String volume
        && turn.input().get("id") instanceof Long id) {
      if (faulty.contains(id)) {
        faults.arm(volume);
      } else {
        faults.disarm(volume);
      }
    }
  }
}
