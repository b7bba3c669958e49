package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.Dependency;
import dev.evenkeel.api.txn.Origin;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a history tells of a value beside what readers of values see. Immutable.
 *
 * @param base path of what it derives from
 * @param number of the transaction that last changed it
 * @param time when that one began
 */
record Facts(
    @Nullable String base,
    @Nullable String descriptor,
    String owner,
    Origin origin,
    List<Dependency> needs,
    long number,
    Instant time) {
  static Facts of(Node node, long number, Instant time) {
    return new Facts(
        node.base == null ? null : node.base.path,
        node.bound == null ? null : node.bound.name(),
        node.owner,
        node.origin,
        node.needs,
        number,
        time);
  }
}
