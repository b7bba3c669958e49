package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.GraphSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The graph as a transaction left it, read off the values' tree; immutable. */
record GraphAt(long transaction, Instant time, Snapshot snapshot) implements GraphSnapshot {
  PathMap<Snapshot.Entry> entries() {
    return snapshot.entries();
  }

  @Override
  public Optional<GraphNode> node(String key) {
    return Optional.ofNullable(entries().get(key)).map(this::node);
  }

  @Override
  public void forEach(String prefix, Consumer<GraphNode> visitor) {
    snapshot.entries().forEach(prefix, entry -> visitor.accept(node(entry)));
  }

  private GraphNode node(Snapshot.Entry entry) {
    Facts facts = entry.facts();
    if (facts == null) {
      throw new IllegalStateException("no history is kept");
    }
    return new GraphNode(
        entry.key().path(),
        Optional.ofNullable(facts.base()),
        Optional.ofNullable(facts.descriptor()),
        facts.owner(),
        facts.origin(),
        entry.state(),
        entry.available(),
        entry.last(),
        Optional.ofNullable(entry.failure()),
        snapshot.details(entry),
        Optional.ofNullable(entry.desired()),
        Optional.ofNullable(entry.applied()),
        entry.metadata() != null,
        facts.needs().stream().map(this::target).toList(),
        facts.number(),
        facts.time());
  }

  private GraphNode.Target target(Dependency need) {
    List<String> keys = new ArrayList<>();
    boolean met = false;
    if (need instanceof Dependency.On on) {
      keys.add(on.key());
      met = available(entries().get(on.key()));
    } else if (need instanceof Dependency.AnyOf any) {
      TreeSet<String> found = new TreeSet<>();
      any.prefixes()
          .forEach(
              prefix ->
                  snapshot
                      .entries()
                      .forEach(
                          prefix,
                          entry -> {
                            String path = entry.key().path();
                            if (Graph.targets(need, path)) {
                              found.add(path);
                            }
                          }));
      keys.addAll(found);
      met = keys.stream().anyMatch(path -> available(entries().get(path)));
    }
    return new GraphNode.Target(need.label(), keys, met);
  }

  private static boolean available(Snapshot.@Nullable Entry entry) {
    return entry != null && entry.available();
  }
}
