package dev.evenkeel.bench.loop;

import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.StateName;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.metrics.LoopMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.stream.IntStream;

/** The contestants by name. */
final class Contestants {
  static final String BARE = "bare ring";
  static final String OFF = "evenkeel off";
  static final String ON = "evenkeel on";
  static final String EXECUTOR = "single-thread executor";
  static final String QUEUE = "kubernetes-client work queue";
  static final String OPERATOR = "java-operator-sdk";

  /** Handlers that do nothing; history and metrics off. */
  static final String NOTHING = "evenkeel off doing nothing";

  /**
   * Handlers that put values into the transaction, the same each time, with nothing that makes them
   * real: the sink has nothing to do.
   */
  static final String VALUES = "evenkeel off putting values";

  /** The same with other values each time, of which readers get a new snapshot. */
  static final String CHANGES = "evenkeel off changing values";

  /** Handlers that put into state maps, which are undone with the event. */
  static final String STATE = "evenkeel off putting state";

  private static final String HANDLERS = "evenkeel off handlers=";
  private static final String RECORDS = "evenkeel records=";

  private Contestants() {}

  /** That many handlers, which do nothing. */
  static String handlers(int number) {
    return HANDLERS + number;
  }

  /** A history of that many records. */
  static String records(int number) {
    return RECORDS + number;
  }

  /** How many records it is to keep, if that is what it is about. */
  static long recordsIn(String name) {
    return name.startsWith(RECORDS) ? numberIn(name) : 0;
  }

  static Contestant of(String name) {
    if (name.startsWith(HANDLERS)) {
      return Evenkeel.with(off(), doing(numberIn(name), Contestants::nothing));
    }
    if (name.startsWith(RECORDS)) {
      return Evenkeel.with(
          Evenkeel.numbers().historyRecords(numberIn(name)).historyBytes(Long.MAX_VALUE / 2),
          Evenkeel.putting(Puts.HANDLERS));
    }
    return switch (name) {
      case BARE -> new BareRing();
      case OFF -> Evenkeel.with(off(), Evenkeel.putting(Puts.HANDLERS));
      case ON ->
          Evenkeel.with(
              Evenkeel.numbers(),
              Evenkeel.putting(Puts.HANDLERS),
              builder -> builder.metrics(LoopMetrics.in(new SimpleMeterRegistry())));
      case NOTHING -> Evenkeel.with(off(), doing(Puts.HANDLERS, Contestants::nothing));
      case VALUES -> Evenkeel.with(off(), doing(Puts.HANDLERS, Contestants::value));
      case CHANGES -> Evenkeel.with(off(), doing(Puts.HANDLERS, Contestants::change));
      case STATE -> Evenkeel.with(off(), doing(Puts.HANDLERS, Contestants::state));
      case EXECUTOR -> new SingleThread();
      case QUEUE -> new KubernetesQueue();
      case OPERATOR -> new OperatorSdk();
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static int numberIn(String name) {
    return Integer.parseInt(name.substring(name.indexOf('=') + 1));
  }

  private static LoopConfig.Builder off() {
    return Evenkeel.numbers().historyRecords(0);
  }

  private interface Update {
    void by(String handler, Item item, Turn turn);
  }

  private static List<EventHandler> doing(int number, Update update) {
    return IntStream.range(0, number).mapToObj(i -> doing("h" + i, update)).toList();
  }

  private static EventHandler doing(String name, Update update) {
    return new Evenkeel.Doing(name) {
      @Override
      public String update(UpdateEvent event, Turn turn) {
        update.by(name, (Item) event, turn);
        return "";
      }
    };
  }

  private static void nothing(String handler, Item item, Turn turn) {}

  private static void value(String handler, Item item, Turn turn) {
    turn.txn().put(item.place(handler), item.key());
  }

  private static void change(String handler, Item item, Turn turn) {
    String key = item.key();
    boolean other = turn.txn().committed(item.place(handler)).filter(key::equals).isPresent();
    turn.txn().put(item.place(handler), other ? "other" : key);
  }

  private static void state(String handler, Item item, Turn turn) {
    turn.state(StateName.of(handler, Item.class)).put(item.key(), item);
  }
}
