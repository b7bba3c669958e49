package dev.evenkeel.scenarios.network;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The outside: refuses what a kernel would refuse, and remembers what it was told. */
final class Kernel {
  private final SortedMap<String, String> interfaces = new TreeMap<>();
  private final SortedMap<String, String> routes = new TreeMap<>();
  private final List<String> calls = new ArrayList<>();

  synchronized int addInterface(String name, String address) {
    calls.add("add interface " + name);
    if (address.isBlank()) {
      throw new EvenkeelException(ErrorKind.INVALID, "interface " + name + " has no address");
    }
    interfaces.put(name, address);
    return 100 + interfaces.size();
  }

  synchronized void removeInterface(String name) {
    calls.add("remove interface " + name);
    if (routes.containsValue(name)) {
      throw new EvenkeelException(ErrorKind.FAILED_PRECONDITION, name + " still has routes");
    }
    interfaces.remove(name);
  }

  synchronized void addRoute(String network, String through) {
    calls.add("add route " + network);
    if (!interfaces.containsKey(through)) {
      throw new EvenkeelException(ErrorKind.NOT_FOUND, "no interface " + through);
    }
    routes.put(network, through);
  }

  synchronized void removeRoute(String network) {
    calls.add("remove route " + network);
    routes.remove(network);
  }

  synchronized SortedMap<String, String> interfaces() {
    return new TreeMap<>(interfaces);
  }

  synchronized SortedMap<String, String> routes() {
    return new TreeMap<>(routes);
  }

  /** What it was told since the last call of this. */
  synchronized List<String> calls() {
    List<String> copy = List.copyOf(calls);
    calls.clear();
    return copy;
  }
}
