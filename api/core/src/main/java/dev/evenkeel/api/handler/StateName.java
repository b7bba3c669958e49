package dev.evenkeel.api.handler;

/**
 * Names a state map.
 *
 * @param name unique among the state maps of a loop
 * @param valueType class of its values; immutable ones, such as records
 * @param <V> that class
 */
public record StateName<V>(String name, Class<V> valueType) {
  /** Names a map. */
  public static <V> StateName<V> of(String name, Class<V> valueType) {
    return new StateName<>(name, valueType);
  }
}
