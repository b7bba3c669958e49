package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Fields;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.election.LeaderElection;
import dev.evenkeel.api.election.Leadership;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.HandlerProvider;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.api.loop.NotLeaderException;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.manual.ManualClock;
import dev.evenkeel.controller.manual.ManualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Building a loop")
final class BuilderTest {
  private static EventHandler handler(String name, Order order) {
    return Handlers.named(name).order(order).build();
  }

  private static List<String> order(EventHandler... handlers) {
    return HandlerOrder.of(List.of(handlers)).stream().map(EventHandler::name).toList();
  }

  @Test
  @DisplayName("keeps the given order, except where constraints say otherwise")
  void orders() {
    assertEquals(
        List.of("c", "a", "b"),
        order(handler("c", Order.ANY), handler("a", Order.ANY), handler("b", Order.ANY)));
    assertEquals(
        List.of("b", "c", "a"),
        order(
            handler("a", Order.after("c", "nobody")),
            handler("b", Order.ANY),
            handler("c", Order.ANY)));
    assertEquals(
        List.of("c", "a", "b"),
        order(
            handler("a", Order.ANY), handler("b", Order.ANY), handler("c", Order.ANY.before("a"))));
  }

  @Test
  @DisplayName("names a cycle of constraints")
  void cycle() {
    InvalidInputException e =
        assertThrows(
            InvalidInputException.class,
            () ->
                order(
                    handler("x", Order.ANY),
                    handler("a", Order.after("b")),
                    handler("b", Order.after("c")),
                    handler("c", Order.after("a"))));
    assertTrue(e.getMessage().contains("a waits for b waits for c waits for a"), e.getMessage());
  }

  @Test
  @DisplayName("reports all faults at once")
  void faults() {
    InvalidInputException config =
        assertThrows(
            InvalidInputException.class,
            () ->
                LoopConfig.builder()
                    .capacity(0)
                    .ringSlots(3)
                    .healingDelay(Duration.ZERO)
                    .historyBytes(-1)
                    .build());
    assertEquals(
        List.of("capacity", "ringSlots", "healingDelay", "historyBytes"),
        config.faults().stream().map(InvalidInputException.Fault::field).toList());

    InvalidInputException parts =
        assertThrows(
            InvalidInputException.class,
            () ->
                EventLoops.builder("no spaces")
                    .handlers(handler("a", Order.ANY), handler("a", Order.ANY))
                    .descriptors(new Outside(true), new Outside(true))
                    .manual(new ManualClock()));
    assertTrue(parts.faults().size() >= 3, parts.getMessage());
  }

  /** Found by its name in {@code META-INF/services}. */
  public static final class Found implements HandlerProvider {
    @Override
    public int apiVersion() {
      return API_VERSION;
    }

    @Override
    public List<EventHandler> handlers(Fields settings) {
      return List.of(handler(settings.require("name"), Order.ANY));
    }
  }

  /** Found, and of another time. */
  public static final class Outdated implements HandlerProvider {
    static volatile int version = API_VERSION;

    @Override
    public int apiVersion() {
      return version;
    }

    @Override
    public List<EventHandler> handlers(Fields settings) {
      return List.of();
    }
  }

  @Test
  @DisplayName("discovers handlers, behind the given ones, and refuses other versions by name")
  void discovers() {
    ClassLoader loader = BuilderTest.class.getClassLoader();
    Fields settings = Fields.empty().with("name", "found");
    ManualLoop loop =
        EventLoops.builder("found")
            .discover(loader, settings)
            .handlers(
                Handlers.named("given").on(Ev.class, (event, turn) -> "").build(),
                Handlers.named("other").on(Ev.class, (event, turn) -> "").build())
            .manual(new ManualClock());
    loop.close();
    Outdated.version = 99;
    try {
      InvalidInputException e =
          assertThrows(
              InvalidInputException.class,
              () ->
                  EventLoops.builder("found").discover(loader, settings).manual(new ManualClock()));
      assertTrue(e.getMessage().contains("Outdated"), e.getMessage());
      assertTrue(e.getMessage().contains("99"), e.getMessage());
    } finally {
      Outdated.version = HandlerProvider.API_VERSION;
    }
  }

  /** An election that the test decides. */
  private static final class Election implements LeaderElection {
    final List<CompletableFuture<Leadership>> campaigns = new ArrayList<>();
    CompletableFuture<Void> lost = new CompletableFuture<>();

    @Override
    public CompletionStage<Leadership> campaign(String candidate) {
      CompletableFuture<Leadership> campaign = new CompletableFuture<>();
      campaigns.add(campaign);
      return campaign;
    }

    void win(long epoch) {
      lost = new CompletableFuture<>();
      CompletableFuture<Void> mine = lost;
      campaigns
          .get(campaigns.size() - 1)
          .complete(
              new Leadership() {
                @Override
                public Epoch epoch() {
                  return new Epoch(epoch);
                }

                @Override
                public boolean held() {
                  return !mine.isDone();
                }

                @Override
                public CompletionStage<Void> lost() {
                  return mine;
                }

                @Override
                public CompletionStage<Void> resign() {
                  mine.complete(null);
                  return mine;
                }
              });
    }

    @Override
    public AutoCloseable observe(Consumer<Optional<Leader>> observer) {
      return () -> {};
    }

    @Override
    public void close() {}
  }

  @Test
  @DisplayName("with an election it stands by until it leads, and again when it has lost")
  void election() {
    Election election = new Election();
    ManualLoop loop =
        EventLoops.builder("elected").election(election, "me").manual(new ManualClock());
    assertEquals(LoopState.STANDBY, loop.status().state());
    assertThrows(NotLeaderException.class, () -> push(loop));
    election.win(7);
    loop.run();
    assertEquals(LoopState.STARTING, loop.status().state());
    Submission<Void> delayed = loop.pushEvent(Ev.of("e"));
    loop.run();
    election.lost.complete(null);
    loop.run();
    assertInstanceOf(Outcome.Dropped.class, Rig.await(delayed));
    assertThrows(NotLeaderException.class, () -> push(loop));
    election.win(8);
    loop.run();
    Submission<Void> resync = loop.pushEvent(DatastoreResync.of(InputState.empty()));
    assertTrue(Rig.await(resync).isSuccess());
    assertEquals(LoopState.RUNNING, loop.status().state());
    loop.close();
  }

  private static void push(ManualLoop loop) {
    var unused = loop.pushEvent(Ev.of("refused"));
  }
}
