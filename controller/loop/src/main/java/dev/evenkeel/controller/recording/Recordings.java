package dev.evenkeel.controller.recording;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Experimental;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads recordings without replaying them. Called by tools; blocks, any thread. */
@Experimental
public final class Recordings {
  private Recordings() {}

  /**
   * Gives out every turn of a recording, a file or a folder, in order.
   *
   * @throws EvenkeelException when it is none, or is damaged, or of a newer version
   */
  public static void read(Path recording, RecordingCodec codec, Consumer<RecordedTurn> each) {
    try (Recording open = Recording.open(recording, codec.values)) {
      Optional<RecordedTurn> turn = open.next();
      while (turn.isPresent()) {
        each.accept(turn.get());
        turn = open.next();
      }
    }
  }
}
