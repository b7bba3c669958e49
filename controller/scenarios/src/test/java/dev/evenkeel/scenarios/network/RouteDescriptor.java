package dev.evenkeel.scenarios.network;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.NoMetadata;
import dev.evenkeel.api.txn.StepContext;
import java.util.List;

/** How routes get into the kernel: not before their interface. */
record RouteDescriptor(Kernel kernel) implements Descriptor<Route, NoMetadata> {
  @Override
  public String name() {
    return "routes";
  }

  @Override
  public KeyType<Route> type() {
    return Route.To.TYPE;
  }

  @Override
  public List<Dependency> dependencies(Key<Route> key, Route value) {
    return List.of(Dependency.on(new Iface.Named(value.through())));
  }

  @Override
  public NoMetadata create(Key<Route> key, Route value, StepContext context) {
    kernel.addRoute(((Route.To) key).network(), value.through());
    return NoMetadata.NONE;
  }

  @Override
  public void delete(Key<Route> key, Route value, NoMetadata none, StepContext context) {
    kernel.removeRoute(((Route.To) key).network());
  }
}
