package dev.evenkeel.scenarios.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.Shutdown;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.codec.jackson.KeyTypes;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.controller.core.LoopObserver;
import dev.evenkeel.controller.recording.Recorder;
import dev.evenkeel.controller.recording.RecordingCodec;
import dev.evenkeel.testkit.LoopExtension;
import dev.evenkeel.testkit.LoopTestKit;
import dev.evenkeel.testkit.Replays;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A network controller")
@ExtendWith(LoopExtension.class)
final class NetworkControllerTest {
  private static final RouteRule.For RULE = new RouteRule.For("192.168.7.0/24");
  private static final Route.To ROUTE = new Route.To("192.168.7.0/24");

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Kernel kernel = new Kernel();

  private LoopTestKit controller(LoopTestKit kit, int poolSize) {
    return kit.handlers(NetworkHandlers.all(poolSize))
        .descriptors(new IfaceDescriptor(kernel), new RouteDescriptor(kernel));
  }

  private static StateChange rule(String workload) {
    return StateChange.put(RULE, Optional.empty(), new RouteRule(workload));
  }

  @Test
  @DisplayName("answers a workload with its address, and the same again when it asks twice")
  void address(LoopTestKit kit) {
    controller(kit, 2).given();
    kit.when(new Connect("web"))
        .applied()
        .answers("10.0.0.1/24")
        .trace("interfaces.U")
        .operations("CREATE /net/interfaces/web");
    kit.when(new Connect("web")).applied().answers("10.0.0.1/24");
    kit.when(new Connect("db")).applied().answers("10.0.0.2/24");
    assertEquals(List.of("add interface web", "add interface db"), kernel.calls());
  }

  @Test
  @DisplayName("keeps a route pending until its interface is there, and configures it then")
  void pendingThenConfigured(LoopTestKit kit) {
    controller(kit, 2).given();
    kit.when(rule("web")).applied().trace("routes.U").value(ROUTE, ValueState.PENDING);
    assertEquals(List.of(), kernel.calls());
    kit.when(new Connect("web")).applied().value(ROUTE, ValueState.CONFIGURED);
    assertEquals(List.of("add interface web", "add route 192.168.7.0/24"), kernel.calls());
    kit.when(new Disconnect("web")).applied().value(ROUTE, ValueState.PENDING);
    assertEquals(List.of("remove route 192.168.7.0/24", "remove interface web"), kernel.calls());
  }

  @Test
  @DisplayName("gives the address back when the event cannot be completed")
  void revert(LoopTestKit kit) {
    controller(kit, 1).given();
    kit.when(new Connect("web")).applied();
    kit.when(new Connect("db"))
        .reverted()
        .failsWith(ErrorKind.RESOURCE_EXHAUSTED)
        .trace("interfaces.U");
    kit.when(new Disconnect("web")).applied();
    kit.when(new Connect("db")).applied().answers("10.0.0.1/24");
  }

  @Test
  @DisplayName("builds everything from its input state, and waits for that before anything else")
  void resync(LoopTestKit kit) {
    controller(kit, 2);
    var early = kit.when(new Connect("web")).waits();
    kit.given(InputState.empty().with(RULE, new RouteRule("web")));
    early.applied().value(ROUTE, ValueState.CONFIGURED);
    assertEquals(Map.of("192.168.7.0/24", "web"), kernel.routes());
  }

  @Test
  @DisplayName("is replayed from what the real loop has recorded")
  void replay(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("network.jsonl");
    RecordingCodec codec =
        RecordingCodec.of(
            KeyTypes.of(RouteRule.For.TYPE),
            List.of(new IfaceDescriptor(kernel), new RouteDescriptor(kernel)),
            Connect.TYPE,
            Disconnect.TYPE);
    try (Recorder recorder = Recorder.to(file, codec);
        ControllerLoop loop = start(recorder)) {
      for (UpdateEvent event : List.of(rule("web"), new Connect("web"), new Connect("db"))) {
        loop.pushEvent(event).await(LIMIT).throwIfFailed();
      }
      assertFalse(loop.pushEvent(new Connect("too-many")).await(LIMIT).isSuccess());
      assertFalse(loop.pushEvent(new Shutdown()).await(LIMIT).isSuccess(), "it is invalid");
      loop.pushEvent(new Disconnect("web")).await(LIMIT).throwIfFailed();
    }
    kernel.calls();
    Replays.verify(file, codec, NetworkHandlers.all(2).toArray(EventHandler[]::new));
    assertEquals(List.of(), kernel.calls());
    EventHandler[] changed = NetworkHandlers.all(1).toArray(EventHandler[]::new);
    String text =
        assertThrows(AssertionError.class, () -> Replays.verify(file, codec, changed)).toString();
    assertTrue(text.contains("recorded: ") && text.contains("db gets 10.0.0.2/24"), text);
  }

  private ControllerLoop start(LoopObserver observer) throws Exception {
    ControllerLoop loop =
        EventLoops.builder("network")
            .handlers(NetworkHandlers.all(2))
            .descriptors(new IfaceDescriptor(kernel), new RouteDescriptor(kernel))
            .observer(observer)
            .start();
    loop.pushEvent(DatastoreResync.of(InputState.empty())).await(LIMIT).throwIfFailed();
    return loop;
  }

  @Test
  @DisplayName("does the same on the real loop")
  void realLoop() throws Exception {
    try (ControllerLoop loop = start(LoopObserver.NONE)) {
      loop.pushEvent(rule("web")).await(LIMIT).throwIfFailed();
      assertEquals(ValueState.PENDING, loop.values().status(ROUTE).state());
      assertEquals("10.0.0.1/24", loop.pushEvent(new Connect("web")).await(LIMIT).orThrow());
      assertEquals(ValueState.CONFIGURED, loop.values().status(ROUTE).state());
    }
    assertEquals(Map.of("web", "10.0.0.1/24"), kernel.interfaces());
    assertEquals(Map.of("192.168.7.0/24", "web"), kernel.routes());
  }
}
