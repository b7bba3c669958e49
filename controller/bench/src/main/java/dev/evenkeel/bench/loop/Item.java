package dev.evenkeel.bench.loop;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.UpdateEvent;

/** What is pushed, on all sides: a number, and the name under which it is put. */
final class Item implements UpdateEvent {
  /** As many things as a middling controller looks after. */
  private static final int NAMES = 1 << 14;

  private static final String[] NAMED = new String[NAMES];
  private static final EventType<Item> TYPE = EventType.of("item", Item.class);
  private static final EventSpec SPEC = EventSpec.bestEffort();

  static {
    for (int i = 0; i < NAMES; i++) {
      NAMED[i] = "volume-" + i;
    }
  }

  private final long number;

  Item(long number) {
    this.number = number;
  }

  String key() {
    return NAMED[(int) number & (NAMES - 1)];
  }

  @Override
  public EventType<Item> type() {
    return TYPE;
  }

  @Override
  public EventSpec spec() {
    return SPEC;
  }

  @Override
  public String describe() {
    return "item";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Item item && item.number == number;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }
}
