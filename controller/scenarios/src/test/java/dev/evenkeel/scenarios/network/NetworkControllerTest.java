package dev.evenkeel.scenarios.network;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.txn.ValueState;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.testkit.LoopExtension;
import dev.evenkeel.testkit.LoopTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@DisplayName("A network controller")
@ExtendWith(LoopExtension.class)
final class NetworkControllerTest {
  private static final RouteRule.For RULE = new RouteRule.For("192.168.7.0/24");
  private static final Route.To ROUTE = new Route.To("192.168.7.0/24");

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
  @DisplayName("does the same on the real loop")
  void realLoop() throws Exception {
    Duration limit = Duration.ofSeconds(10);
    try (ControllerLoop loop =
        EventLoops.builder("network")
            .handlers(NetworkHandlers.all(2))
            .descriptors(new IfaceDescriptor(kernel), new RouteDescriptor(kernel))
            .start()) {
      loop.pushEvent(DatastoreResync.of(InputState.empty())).await(limit).throwIfFailed();
      loop.pushEvent(rule("web")).await(limit).throwIfFailed();
      assertEquals(ValueState.PENDING, loop.values().status(ROUTE).state());
      assertEquals("10.0.0.1/24", loop.pushEvent(new Connect("web")).await(limit).orThrow());
      assertEquals(ValueState.CONFIGURED, loop.values().status(ROUTE).state());
    }
    assertEquals(Map.of("web", "10.0.0.1/24"), kernel.interfaces());
    assertEquals(Map.of("192.168.7.0/24", "web"), kernel.routes());
  }
}
