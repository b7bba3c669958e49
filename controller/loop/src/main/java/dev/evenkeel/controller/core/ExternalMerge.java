package dev.evenkeel.controller.core;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.txn.TxnEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges external configuration over what handlers put (EL 24, JT-15): external sources by
 * priority, the handlers' value last, folded by the descriptor. Remembers what handlers want by
 * themselves (EL 27). Core's thread only.
 */
final class ExternalMerge {
  private final Map<KeyType<?>, Descriptor<?, ?>> descriptors = new HashMap<>();
  private final InputCaches caches;
  private Map<String, TxnEntry.Put<?>> internal = new HashMap<>();

  ExternalMerge(List<Descriptor<?, ?>> descriptors, InputCaches caches) {
    descriptors.forEach(d -> this.descriptors.put(d.type(), d));
    this.caches = caches;
  }

  /** Whether a handler wants that value, rather than an external source alone. */
  boolean isInternal(String path) {
    return internal.containsKey(path);
  }

  /** Whether that key has ever been written by the handler and still is its own. */
  boolean owns(String handler) {
    return internal.values().stream().anyMatch(put -> put.owner().equals(handler));
  }

  /** The handlers' wishes of an update that took hold. */
  void updated(List<TxnEntry> entries) {
    for (TxnEntry entry : entries) {
      if (entry instanceof TxnEntry.Put<?> put) {
        internal.put(put.key().path(), put);
      } else if (entry instanceof TxnEntry.Delete delete) {
        internal.remove(delete.key().path());
      }
    }
  }

  /** The handlers' wishes of a resync; those of handlers that failed stay as they were. */
  void resynced(List<TxnEntry> entries, Set<String> failed) {
    internal = of(failed);
    updated(entries.stream().filter(entry -> !failed.contains(entry.owner())).toList());
  }

  private Map<String, TxnEntry.Put<?>> of(Set<String> owners) {
    Map<String, TxnEntry.Put<?>> theirs = new HashMap<>(internal);
    theirs.values().removeIf(put -> !owners.contains(put.owner()));
    return theirs;
  }

  /** The entries of an update, merged; {@code changed} are the external keys that it changes. */
  List<TxnEntry> ofUpdate(
      List<TxnEntry> entries, SortedMap<String, Key<?>> changed, String source) {
    if (changed.isEmpty() && caches.nothingExternal()) {
      return entries;
    }
    return merged(entries, changed, source, internal);
  }

  /**
   * The entries of a resync, merged with all that the external sources have; what handlers that
   * failed had wanted remains theirs.
   */
  List<TxnEntry> ofResync(List<TxnEntry> entries, Set<String> failed) {
    SortedMap<String, Key<?>> all = caches.externalKeys();
    return all.isEmpty() ? entries : merged(entries, all, InputCaches.DB, of(failed));
  }

  private List<TxnEntry> merged(
      List<TxnEntry> entries,
      SortedMap<String, Key<?>> also,
      String source,
      Map<String, TxnEntry.Put<?>> beside) {
    SortedMap<String, Key<?>> left = new TreeMap<>(also);
    List<TxnEntry> out = new ArrayList<>();
    for (TxnEntry entry : entries) {
      Key<?> key = keyOf(entry);
      if (key == null) {
        out.add(entry);
      } else {
        left.remove(key.path());
        TxnEntry.Put<?> own = entry instanceof TxnEntry.Put<?> put ? put : null;
        out.add(effective(key.path(), own, entry.owner()).orElse(entry));
      }
    }
    left.forEach(
        (path, key) -> {
          TxnEntry.Put<?> own = beside.get(path);
          String owner = own == null ? "external " + source : own.owner();
          out.add(effective(path, own, owner).orElseGet(() -> new TxnEntry.Delete(owner, key)));
        });
    return out;
  }

  private static @Nullable Key<?> keyOf(TxnEntry entry) {
    if (entry instanceof TxnEntry.Put<?> put) {
      return put.key();
    }
    return entry instanceof TxnEntry.Delete delete ? delete.key() : null;
  }

  /** The fold over all that have the key; empty when nobody has it. */
  private Optional<TxnEntry> effective(String path, TxnEntry.@Nullable Put<?> own, String owner) {
    List<KeyedValue<?>> externals = caches.externals(path);
    if (externals.isEmpty()) {
      return Optional.ofNullable(own);
    }
    List<Object> values = new ArrayList<>();
    externals.forEach(value -> values.add(value.value()));
    if (own != null) {
      values.add(own.value());
    }
    Key<?> key = externals.get(0).key();
    Optional<RetryPolicy> retry = own == null ? Optional.empty() : own.retry();
    return Optional.of(put(owner, key, merge(key, values), retry));
  }

  @SuppressWarnings("unchecked") // values were checked against their key's type at the door
  private Object merge(Key<?> key, List<Object> byPriority) {
    Descriptor<Object, ?> descriptor = (Descriptor<Object, ?>) descriptors.get(key.type());
    if (descriptor == null) {
      return byPriority.get(0);
    }
    try {
      return Objects.requireNonNull(
          descriptor.merge((Key<Object>) key, byPriority), "it returned null");
    } catch (VirtualMachineError fatal) {
      throw fatal;
    } catch (RuntimeException | Error thrown) {
      throw new EvenkeelException(
          EvenkeelException.kindOf(thrown),
          descriptor.name() + " cannot merge " + key.path() + ": " + thrown.getMessage(),
          thrown);
    }
  }

  @SuppressWarnings("unchecked") // as above
  private static TxnEntry put(String owner, Key<?> key, Object value, Optional<RetryPolicy> retry) {
    return new TxnEntry.Put<>(owner, (Key<Object>) key, value, retry);
  }
}
