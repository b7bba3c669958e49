package dev.evenkeel.api.event;

import java.util.Objects;

/**
 * Name, version and class of a kind of event. One constant per kind.
 *
 * @param name unique among the kinds of a controller, for people and for stored forms: lower case,
 *     digits and dashes
 * @param version of the stored form; raise it when a field changes its meaning; from 1
 * @param eventClass the class of its events, usually a record
 * @param <E> that class
 */
public record EventType<E extends Event>(String name, int version, Class<E> eventClass) {
  /** Refuses an odd name and a version below 1. */
  public EventType {
    Objects.requireNonNull(eventClass, "eventClass");
    if (!name.matches("[a-z][a-z0-9-]{0,62}")) {
      throw new IllegalArgumentException(
          "an event type's name is lower case letters, digits and dashes: " + name);
    }
    if (version < 1) {
      throw new IllegalArgumentException("an event type's version starts at 1: " + version);
    }
  }

  /** Version 1 of a kind. */
  public static <E extends Event> EventType<E> of(String name, Class<E> eventClass) {
    return new EventType<>(name, 1, eventClass);
  }
}
