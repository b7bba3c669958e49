package dev.evenkeel.api.loop;

/**
 * Identifies a pushed event from the moment of the push; its sequence number comes when its first
 * turn begins (JT-17).
 *
 * @param number unique in the life of a loop, from 1; in order of acceptance by each producer
 */
public record EventId(long number) implements Comparable<EventId> {
  @Override
  public int compareTo(EventId other) {
    return Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return "e" + number;
  }
}
