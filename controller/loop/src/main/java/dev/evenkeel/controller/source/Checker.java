package dev.evenkeel.controller.source;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.Revision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Asks a store for keys, some at a time: which are gone, and which cannot be decoded? */
final class Checker {
  private static final int AT_ONCE = 32;

  private final Datastore store;
  private final List<Key<?>> keys;
  private final Duration limit;
  private final CompletableFuture<Checker> done = new CompletableFuture<>();
  private final List<Key<?>> unparsable = new ArrayList<>();
  private final Set<String> gone = new HashSet<>();
  private int asked;
  private int answered;
  private boolean asking;

  Checker(Datastore store, List<Key<?>> keys, Duration limit) {
    this.store = store;
    this.keys = keys;
    this.limit = limit;
  }

  /** Completes with this when all were looked at, or with the first failure. */
  CompletableFuture<Checker> run() {
    askSome();
    return done;
  }

  List<Key<?>> unparsable() {
    return unparsable;
  }

  Set<String> gone() {
    return gone;
  }

  /** An answer may come at once, inside of the question: then the loop goes on, not deeper. */
  private void askSome() {
    while (true) {
      Key<?> next;
      synchronized (this) {
        if (asking || done.isDone() || asked == keys.size() || asked - answered >= AT_ONCE) {
          return;
        }
        asking = true;
        next = keys.get(asked++);
      }
      ask(next);
      synchronized (this) {
        asking = false;
      }
    }
  }

  private <V> void ask(Key<V> key) {
    var unused =
        store
            .get(key, Revision.NONE, Call.within(limit))
            .whenComplete((found, failed) -> answered(key, failed));
  }

  private void answered(Key<?> key, @Nullable Throwable failed) {
    Throwable cause = failed instanceof CompletionException ? failed.getCause() : failed;
    boolean all;
    synchronized (this) {
      answered++;
      if (cause instanceof DatastoreException.ParsingEntry) {
        unparsable.add(key);
      } else if (cause instanceof DatastoreException.DoesNotExist) {
        gone.add(key.path());
      }
      all = answered == keys.size();
    }
    if (cause != null
        && !(cause instanceof DatastoreException.ParsingEntry)
        && !(cause instanceof DatastoreException.DoesNotExist)) {
      done.completeExceptionally(cause);
    } else if (all) {
      done.complete(this);
    } else {
      askSome();
    }
  }
}
