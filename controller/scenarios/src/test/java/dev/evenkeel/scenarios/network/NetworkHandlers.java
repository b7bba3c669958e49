package dev.evenkeel.scenarios.network;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.handler.StateName;
import dev.evenkeel.api.handler.Turn;
import java.util.List;
import java.util.SortedMap;

/** The two handlers of the network controller. */
final class NetworkHandlers {
  /** Address of each workload, in the loop's keeping: put back by itself when an event fails. */
  static final StateName<String> ADDRESSES = StateName.of("addresses", String.class);

  private NetworkHandlers() {}

  /** Gives each workload an address and an interface. */
  static EventHandler interfaces(int poolSize) {
    return Handlers.named("interfaces")
        .on(
            Connect.class,
            (event, turn) -> {
              String address = turn.state(ADDRESSES).get(event.workload()).orElse("");
              if (address.isEmpty()) {
                address = free(turn.state(ADDRESSES).all(), poolSize);
                turn.state(ADDRESSES).put(event.workload(), address);
              }
              turn.txn().put(iface(event.workload()), new Iface(address));
              turn.answer(event, address);
              return event.workload() + " gets " + address;
            })
        .on(
            Disconnect.class,
            (event, turn) -> {
              turn.state(ADDRESSES).remove(event.workload());
              turn.txn().delete(iface(event.workload()));
              return event.workload() + " gives its address back";
            })
        .resync(
            (event, turn) ->
                turn.state(ADDRESSES)
                    .all()
                    .forEach((name, address) -> turn.txn().put(iface(name), new Iface(address))))
        .build();
  }

  /** Turns the operator's rules into routes. */
  static EventHandler routes() {
    return Handlers.named("routes")
        .order(Order.after("interfaces"))
        .onChange(RouteRule.For.TYPE, NetworkHandlers::ruleChanged)
        .resync(
            (event, turn) -> {
              for (var rule : turn.input().all(RouteRule.For.TYPE)) {
                turn.txn().put(route(rule.key().path()), new Route(rule.value().workload()));
              }
            })
        .build();
  }

  private static String ruleChanged(StateChange event, Turn turn) {
    Route.To route = route(event.key());
    var rule = event.currentAs(RouteRule.For.TYPE);
    if (rule.isEmpty()) {
      turn.txn().delete(route);
      return "no route to " + route.network();
    }
    turn.txn().put(route, new Route(rule.get().workload()));
    return "route to " + route.network() + " through " + rule.get().workload();
  }

  static Iface.Named iface(String workload) {
    return new Iface.Named(workload);
  }

  private static Route.To route(String rulePath) {
    RouteRule.For rule = (RouteRule.For) RouteRule.For.TYPE.parse(rulePath).orElseThrow();
    return new Route.To(rule.network());
  }

  private static String free(SortedMap<String, String> taken, int poolSize) {
    for (int i = 1; i <= poolSize; i++) {
      String address = "10.0.0." + i + "/24";
      if (!taken.containsValue(address)) {
        return address;
      }
    }
    throw new EvenkeelException(
        ErrorKind.RESOURCE_EXHAUSTED, "all " + poolSize + " addresses are taken");
  }

  static List<EventHandler> all(int poolSize) {
    return List.of(routes(), interfaces(poolSize));
  }
}
