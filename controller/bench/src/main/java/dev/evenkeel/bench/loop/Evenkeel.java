package dev.evenkeel.bench.loop;

import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Turn;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.LoopConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** The loop, with handlers that put into a map of their own. */
final class Evenkeel implements Contestant {
  private static final Duration LIMIT = Duration.ofSeconds(Futures.LIMIT_SECONDS);

  private final EventLoop loop;

  Evenkeel(EventLoop loop) {
    this.loop = loop;
    take(loop.pushEvent(DatastoreResync.of(InputState.empty())));
  }

  /** Numbers of a loop with room for the window and the resync. */
  static LoopConfig.Builder numbers() {
    return LoopConfig.builder().capacity(WINDOW + 1).ringSlots(2 * WINDOW);
  }

  /** That many handlers, each with a map of its own. */
  static List<EventHandler> putting(int handlers) {
    List<EventHandler> all = new ArrayList<>();
    for (int i = 0; i < handlers; i++) {
      Map<String, Item> map = new HashMap<>();
      all.add(
          new Doing("h" + i) {
            @Override
            public String update(UpdateEvent event, Turn turn) {
              Item item = (Item) event;
              map.put(item.key(), item);
              return "";
            }
          });
    }
    return all;
  }

  static Evenkeel with(LoopConfig.Builder numbers, List<EventHandler> handlers) {
    return with(numbers, handlers, builder -> builder);
  }

  static Evenkeel with(
      LoopConfig.Builder numbers,
      List<EventHandler> handlers,
      UnaryOperator<EventLoops.Builder> more) {
    EventLoops.Builder builder =
        EventLoops.builder("bench").handlers(handlers).config(numbers.build());
    return new Evenkeel(more.apply(builder).start());
  }

  /** A handler of items, and of nothing else. */
  abstract static class Doing implements EventHandler {
    private final String name;

    Doing(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean handlesEvent(Event event) {
      return event instanceof Item;
    }

    @Override
    public void resync(ResyncEvent event, Turn turn) {}
  }

  @Override
  public Object push(Item item) {
    return loop.pushEvent(item);
  }

  @Override
  public void take(Object pending) {
    Submission<?> submission = (Submission<?>) pending;
    try {
      if (!submission.await(LIMIT).isSuccess()) {
        throw new IllegalStateException(submission.id() + " did not succeed");
      }
    } catch (TimeoutException | InterruptedException failed) {
      throw new IllegalStateException("an item was not done", failed);
    }
  }

  @Override
  public void close() {
    loop.close(Duration.ofSeconds(5));
  }
}
