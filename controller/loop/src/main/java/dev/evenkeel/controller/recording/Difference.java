package dev.evenkeel.controller.recording;

import dev.evenkeel.codec.jackson.Json;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The first place where a replay decided otherwise than the recording.
 *
 * @param turn number of the turn; 0 for the header
 * @param text what is different, for people: several lines
 */
public record Difference(long turn, String text) {

  /** Compares two decisions, each absent when there was none at that place. */
  static Optional<Difference> between(
      Recording.Turn turn,
      int position,
      Optional<SortedMap<String, Object>> recorded,
      Optional<SortedMap<String, Object>> replayed) {
    if (compared(recorded).equals(compared(replayed))) {
      return Optional.empty();
    }
    String text =
        "turn "
            + turn.number()
            + ", decision "
            + (position + 1)
            + ", after "
            + Values.JSON.write(turn.input())
            + "\n  recorded: "
            + shown(recorded)
            + "\n  replayed: "
            + shown(replayed)
            + recorded.flatMap(one -> replayed.map(other -> firstField(one, other))).orElse("");
    return Optional.of(new Difference(turn.number(), text));
  }

  private static Optional<SortedMap<String, Object>> compared(
      Optional<SortedMap<String, Object>> decision) {
    return decision.map(
        tree -> {
          SortedMap<String, Object> copy = new TreeMap<>(tree);
          copy.remove(Decisions.WORDS);
          return copy;
        });
  }

  private static String shown(Optional<SortedMap<String, Object>> decision) {
    return decision.map(Values.JSON::write).orElse("nothing more in this turn");
  }

  private static String firstField(
      SortedMap<String, Object> recorded, SortedMap<String, Object> replayed) {
    TreeSet<String> names = new TreeSet<>(recorded.keySet());
    names.addAll(replayed.keySet());
    names.remove(Decisions.WORDS);
    for (String name : names) {
      Object one = recorded.getOrDefault(name, Json.NULL);
      Object other = replayed.getOrDefault(name, Json.NULL);
      if (!Objects.equals(one, other)) {
        return "\n  first difference: "
            + name
            + ": "
            + Values.JSON.write(one)
            + " became "
            + Values.JSON.write(other);
      }
    }
    return "";
  }

  @Override
  public String toString() {
    return text;
  }
}
