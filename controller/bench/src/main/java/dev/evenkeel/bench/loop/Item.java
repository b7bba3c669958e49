package dev.evenkeel.bench.loop;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.UpdateEvent;

/** What is pushed, on all sides: a number, and the name under which it is put. */
final class Item implements UpdateEvent {
  /** As many things as a middling controller looks after. */
  private static final int NAMES = 1 << 14;

  private static final String[] NAMED = new String[NAMES];
  private static final Place[][] PLACES = new Place[Puts.HANDLERS][NAMES];
  private static final EventType<Item> TYPE = EventType.of("item", Item.class);
  private static final EventSpec SPEC = EventSpec.bestEffort();

  static {
    for (int i = 0; i < NAMES; i++) {
      NAMED[i] = "volume-" + i;
      for (int handler = 0; handler < Puts.HANDLERS; handler++) {
        PLACES[handler][i] = new Place("/bench/h" + handler + "/" + NAMED[i]);
      }
    }
  }

  private final long number;

  Item(long number) {
    this.number = number;
  }

  String key() {
    return NAMED[(int) number & (NAMES - 1)];
  }

  /** Key of a value of that handler, {@code h0} to {@code h2}; made before, path and all. */
  Place place(String handler) {
    return PLACES[handler.charAt(1) - '0'][(int) number & (NAMES - 1)];
  }

  /** Key of a value that no descriptor makes real. */
  record Place(String path) implements Key<String> {
    private static final KeyType<String> PLACES =
        KeyType.named("place", "/bench/", String.class, name -> new Place("/bench/" + name));

    @Override
    public KeyType<String> type() {
      return PLACES;
    }
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
