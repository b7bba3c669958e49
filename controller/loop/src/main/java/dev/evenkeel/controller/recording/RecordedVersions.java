package dev.evenkeel.controller.recording;

import dev.evenkeel.controller.core.LoopParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Answers a handler that asks for the version of a decision with what was recorded in that turn. A
 * recording that is older than the question gets the lowest one.
 */
final class RecordedVersions implements LoopParts.Versions {
  static final String KIND = "versioned";

  private List<SortedMap<String, Object>> left = List.of();
  private Optional<String> outside = Optional.empty();

  void turn(RecordedTurn turn) {
    left = new ArrayList<>(turn.decisions().stream().filter(RecordedVersions::isOne).toList());
    outside = Optional.empty();
  }

  static boolean isOne(SortedMap<String, Object> decision) {
    return KIND.equals(decision.get("kind"));
  }

  @Override
  public int choose(String handler, String name, int lowest, int highest) {
    for (int i = 0; i < left.size(); i++) {
      SortedMap<String, Object> one = left.get(i);
      if (handler.equals(one.get("handler")) && name.equals(one.get("name"))) {
        left.remove(i);
        return within(Math.toIntExact(Trees.number(one, "version")), name, lowest, highest);
      }
    }
    return lowest;
  }

  private int within(int recorded, String name, int lowest, int highest) {
    if (recorded < lowest || recorded > highest) {
      outside = Optional.of(name + " is asked for between " + lowest + " and " + highest);
    }
    return Math.min(highest, Math.max(lowest, recorded));
  }

  /** What was asked for in this turn, when what was recorded is no longer among it. */
  Optional<String> outside() {
    return outside;
  }
}
