package dev.evenkeel.controller.recording;

import dev.evenkeel.codec.jackson.Json;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * The first place where a replay decided otherwise than the recording. Immutable; texts are of
 * JSON, and empty where there is nothing.
 *
 * @param file name of the file that it is in
 * @param turn number of the turn; 0 for the header
 * @param event number of the event; 0 when it is about none
 * @param field of the decision
 * @param expected what the recording has there
 * @param actual what the replay decided
 * @param cause what most often makes such a difference
 * @param text all of it for people: several lines
 */
public record Difference(
    String file,
    long turn,
    long event,
    String field,
    String expected,
    String actual,
    String cause,
    String text) {

  /** What the header or a segment says, and what is. */
  static Difference of(RecordedTurn turn, String field, String expected, String actual) {
    return whole(turn.file(), turn.number(), field, expected, actual, Causes.of(field));
  }

  static Difference ofHeader(String field, String expected, String actual) {
    return whole("", 0, field, expected, actual, Causes.of(field));
  }

  private static Difference whole(
      String file, long turn, String field, String expected, String actual, String cause) {
    String text =
        (turn == 0 ? "the recorded " : "before turn " + turn + ", the recorded ")
            + field
            + " are "
            + expected
            + ", the replayed ones "
            + actual
            + "\n  likely cause: "
            + cause;
    return new Difference(file, turn, 0, field, expected, actual, cause, text);
  }

  /** Compares two decisions, each absent when there was none at that place. */
  static Optional<Difference> between(
      RecordedTurn turn,
      int position,
      Optional<SortedMap<String, Object>> recorded,
      Optional<SortedMap<String, Object>> replayed) {
    Optional<String> field = firstField(recorded, replayed);
    if (field.isEmpty()) {
      return Optional.empty();
    }
    String expected = recorded.map(tree -> at(tree, field.get())).orElse("");
    String actual = replayed.map(tree -> at(tree, field.get())).orElse("");
    String cause = Causes.of(field.get(), recorded, replayed);
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
            + (recorded.isPresent() && replayed.isPresent()
                ? "\n  first difference: " + field.get() + ": " + expected + " became " + actual
                : "")
            + "\n  likely cause: "
            + cause;
    long event =
        recorded.or(() -> replayed).map(tree -> Trees.numberOr(tree, "event", 0)).orElse(0L);
    return Optional.of(
        new Difference(
            turn.file(), turn.number(), event, field.get(), expected, actual, cause, text));
  }

  private static String at(SortedMap<String, Object> tree, String field) {
    Object value = tree.get(field);
    return value == null ? "" : Values.JSON.write(value);
  }

  private static String shown(Optional<SortedMap<String, Object>> decision) {
    return decision.map(Values.JSON::write).orElse("nothing more in this turn");
  }

  /** The kind first, since all else depends on it; then by name. Words are not compared. */
  private static Optional<String> firstField(
      Optional<SortedMap<String, Object>> recorded, Optional<SortedMap<String, Object>> replayed) {
    if (recorded.isEmpty() || replayed.isEmpty()) {
      return recorded.isEmpty() && replayed.isEmpty() ? Optional.empty() : Optional.of("kind");
    }
    TreeSet<String> names = new TreeSet<>(recorded.get().keySet());
    names.addAll(replayed.get().keySet());
    names.remove(Decisions.WORDS);
    return names.stream()
        .sorted(Comparator.comparing((String name) -> !name.equals("kind")))
        .filter(
            name ->
                !Objects.equals(
                    recorded.get().getOrDefault(name, Json.NULL),
                    replayed.get().getOrDefault(name, Json.NULL)))
        .findFirst();
  }

  @Override
  public String toString() {
    return text;
  }
}
