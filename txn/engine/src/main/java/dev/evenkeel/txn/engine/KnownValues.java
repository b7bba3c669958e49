package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.Retriever;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the engine knows of a descriptor's base values, by path, as it was when this was made. It is
 * put together when a retriever looks at it, on its thread: many do not, and there may be a
 * million.
 */
final class KnownValues extends AbstractList<Retriever.Known<?, ?>> {
  private final Bound<?, ?> bound;
  private final PathMap<Snapshot.Entry> entries;
  private final boolean unknown;
  private @Nullable List<Retriever.Known<?, ?>> list;

  KnownValues(Bound<?, ?> bound, PathMap<Snapshot.Entry> entries) {
    this.bound = bound;
    this.entries = entries;
    this.unknown = bound.unknown;
  }

  private synchronized List<Retriever.Known<?, ?>> list() {
    List<Retriever.Known<?, ?>> found = list;
    if (found == null) {
      List<Retriever.Known<?, ?>> all = new ArrayList<>();
      entries.forEach(bound.descriptor().type().prefix(), entry -> add(entry, all));
      list = all;
      found = all;
    }
    return found;
  }

  private void add(Snapshot.Entry entry, List<Retriever.Known<?, ?>> to) {
    Object value = entry.applied() == null && unknown ? entry.desired() : entry.applied();
    if (entry.base() && value != null && bound.descriptor().type().equals(entry.key().type())) {
      to.add(bound.known(entry.key(), value, entry.metadata()));
    }
  }

  @Override
  public Retriever.Known<?, ?> get(int index) {
    return list().get(index);
  }

  @Override
  public int size() {
    return list().size();
  }
}
