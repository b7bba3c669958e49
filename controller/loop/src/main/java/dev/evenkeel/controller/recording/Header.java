package dev.evenkeel.controller.recording;

import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.core.LoopParts;
import java.util.List;
import java.util.SortedMap;

/**
 * First line of a recording.
 *
 * @param handlers their names, in the order in which they were called
 * @param sources of external configuration: names with priorities
 * @param elected whether the loop stood by until it was elected
 */
record Header(
    String loop, LoopConfig config, List<String> handlers, List<Source> sources, boolean elected) {
  /** Version of the form that is written, and the newest one that is read. */
  static final int VERSION = 2;

  private static final String MARK = "evenkeel";

  /** An external source. */
  record Source(String name, int priority) {}

  static Header of(LoopParts parts) {
    return new Header(
        parts.name(),
        parts.config(),
        parts.handlers().stream().map(EventHandler::name).toList(),
        parts.sources().stream().map(Header::source).toList(),
        parts.elected());
  }

  private static Source source(ExternalSource source) {
    return new Source(source.name(), source.priority());
  }

  SortedMap<String, Object> tree(Values values) {
    SortedMap<String, Object> tree = Trees.of("recording", MARK);
    tree.put("version", (long) VERSION);
    tree.put("loop", loop);
    tree.put("config", values.tree(LoopConfig.class, config));
    tree.put("handlers", handlers);
    tree.put("sources", sources.stream().map(s -> values.tree(Source.class, s)).toList());
    tree.put("elected", elected);
    return tree;
  }

  static Header from(SortedMap<String, Object> tree, Values values) {
    if (!MARK.equals(tree.get("recording"))) {
      throw Trees.malformed("recording");
    }
    long version = Trees.number(tree, "version");
    if (version > VERSION) {
      throw Trees.newer(version, VERSION);
    }
    return new Header(
        Trees.text(tree, "loop"),
        values.value(LoopConfig.class, Trees.get(tree, "config")),
        Trees.list(tree, "handlers").stream().map(String.class::cast).toList(),
        Trees.list(tree, "sources").stream().map(s -> values.value(Source.class, s)).toList(),
        Trees.get(tree, "elected").equals(true));
  }
}
