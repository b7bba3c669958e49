package dev.evenkeel.api.txn;

/**
 * What a probe found.
 *
 * @param <T> what the step's apply returns
 */
public sealed interface Probe<T> {
  /** Nothing is there: apply it. */
  record Absent<T>() implements Probe<T> {}

  /**
   * It is there already, complete.
   *
   * @param value what apply would have returned
   */
  record Present<T>(T value) implements Probe<T> {}

  /**
   * Something is there, but not complete: apply must finish it.
   *
   * @param detail for people
   */
  record Partial<T>(String detail) implements Probe<T> {}

  /** Nothing is there. */
  static <T> Probe<T> absent() {
    return new Absent<>();
  }

  /** It is there. */
  static <T> Probe<T> present(T value) {
    return new Present<>(value);
  }

  /** Something is there that apply must finish. */
  static <T> Probe<T> partial(String detail) {
    return new Partial<>(detail);
  }
}
