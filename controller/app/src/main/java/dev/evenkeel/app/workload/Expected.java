package dev.evenkeel.app.workload;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** How a line of a workload says that its event will end: the words of outcomes, and one more. */
public enum Expected {
  /** It takes hold, without a failure. */
  APPLIED,
  /** It fails and is put back completely. */
  REVERTED,
  /** Nothing is done. */
  REFUSED,
  /** Its deadline passes. */
  UNFINISHED,
  /** The loop closes before it is processed. */
  DROPPED,
  /** The line is none that could be run. */
  INVALID;

  /** As it is written in a workload. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a workload's word means. */
  static Optional<Expected> of(String word) {
    return Arrays.stream(values()).filter(e -> e.word().equals(word)).findFirst();
  }

  /** All words, for error texts. */
  static String words() {
    return Arrays.stream(values()).map(Expected::word).collect(Collectors.joining(", "));
  }
}
