package dev.evenkeel.store.rados;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Deletes of keys with children or parents. They look at more than one record, so they compare the
 * version of the whole object. What belongs to one first name lies in one object, and goes in one
 * operation; parents of another kind lie in another, and are looked at afterwards. Any thread.
 */
final class Trees {
  private static final int PAGE = 1_024;

  private final Cluster cluster;
  private final Layout layout;
  private final Records records;
  private final Pairs pairs;

  Trees(Cluster cluster, Layout layout, Records records, Pairs pairs) {
    this.cluster = cluster;
    this.layout = layout;
    this.records = records;
    this.pairs = pairs;
  }

  /** The object at one version: a record, and the records below some paths. */
  private record View(Optional<Entry> own, Map<String, SortedSet<String>> below, Seen seen) {}

  <V> CompletableFuture<KeyValue<V>> delete(
      Key<V> key, Revision revision, Optional<String> uid, Limit limit) {
    Spot spot = layout.spot(key);
    if (spot.whole() || !spot.fixed().isEmpty()) {
      throw notSupported(key, "it has an object of its own");
    }
    List<Key<?>> near = new ArrayList<>();
    List<Key<?>> far = new ArrayList<>();
    for (Key<?> parent : key.parents()) {
      boolean here = far.isEmpty() && layout.spot(parent).home().equals(spot.home());
      (here ? near : far).add(parent);
    }
    List<String> folders = new ArrayList<>();
    boolean tree = !key.deletePath().equals(key.path());
    if (tree) {
      folders.add(folder(key));
    }
    near.forEach(parent -> folders.add(folder(parent)));
    Epoch epoch = limit.call().epoch();
    // Between the view and the decision nothing else runs: both are this one call's.
    List<View> views = new ArrayList<>();
    return records
        .change(
            limit,
            epoch,
            spot.home(),
            spot.path(),
            none ->
                view(spot, key.type(), folders, limit)
                    .thenApply(
                        view -> {
                          views.clear();
                          views.add(view);
                          return view.seen();
                        }),
            seen -> decide(key, spot, near, tree, views.get(0), revision, uid))
        .thenCompose(gone -> removeEmpty(far, epoch, limit).thenApply(done -> gone));
  }

  private <V> Change<KeyValue<V>> decide(
      Key<V> key,
      Spot spot,
      List<Key<?>> parents,
      boolean tree,
      View view,
      Revision revision,
      Optional<String> uid) {
    TreeSet<String> leaves = new TreeSet<>();
    if (tree) {
      leaves.addAll(below(view, folder(key)));
    }
    view.own().ifPresent(entry -> leaves.add(spot.prefix()));
    if (leaves.isEmpty() || Revisions.isCondition(revision) || uid.isPresent()) {
      pairs.checkDelete(key, view.own(), revision, uid);
    }
    for (Key<?> parent : parents) {
      String own = layout.spot(parent).prefix();
      TreeSet<String> left = new TreeSet<>(below(view, folder(parent)));
      left.removeAll(leaves);
      left.remove(own);
      if (!left.isEmpty()) {
        break;
      }
      leaves.add(own);
    }
    return removal(key.type(), leaves, view.seen().version(), pairs.before(key, view.own()));
  }

  private static <T> Change<T> removal(
      KeyType<?> type, SortedSet<String> prefixes, long version, T result) {
    return new Change<>(
        op -> {
          op.atVersion(version);
          prefixes.forEach(
              prefix -> op.removeRange(prefix + Spot.TAB, prefix + (char) (Spot.TAB + 1)));
        },
        false,
        result,
        // Nobody can tell afterwards: who asks is told that it is not known.
        seen -> false,
        prefixes.stream().map(prefix -> type.prefix() + prefix).toList());
  }

  /** Parents in other objects, nearest first, as long as nothing is in them. */
  private CompletableFuture<Boolean> removeEmpty(List<Key<?>> parents, Epoch epoch, Limit limit) {
    CompletableFuture<Boolean> going = CompletableFuture.completedFuture(true);
    for (Key<?> parent : parents) {
      going =
          going.thenCompose(
              go ->
                  go
                      ? removeEmpty(parent, epoch, limit)
                      : CompletableFuture.completedFuture(false));
    }
    return going;
  }

  private CompletableFuture<Boolean> removeEmpty(Key<?> parent, Epoch epoch, Limit limit) {
    Spot spot = layout.spot(parent);
    List<View> views = new ArrayList<>();
    return records.change(
        limit,
        epoch,
        spot.home(),
        spot.path(),
        none ->
            view(spot, parent.type(), List.of(folder(parent)), limit)
                .thenApply(
                    view -> {
                      views.clear();
                      views.add(view);
                      return view.seen();
                    }),
        seen -> {
          TreeSet<String> left = new TreeSet<>(below(views.get(0), folder(parent)));
          left.remove(spot.prefix());
          if (!left.isEmpty() || views.get(0).own().isEmpty()) {
            return Change.none(left.isEmpty());
          }
          TreeSet<String> own = new TreeSet<>(List.of(spot.prefix()));
          return removal(parent.type(), own, seen.version(), true);
        });
  }

  private static SortedSet<String> below(View view, String folder) {
    SortedSet<String> found = view.below().get(folder);
    return found == null ? new TreeSet<>() : found;
  }

  private String folder(Key<?> key) {
    String rest = Layout.rest(key.type(), key.deletePath());
    if (rest.isEmpty() || rest.equals("/")) {
      throw notSupported(key, "everything of a kind does not go at once");
    }
    return rest.endsWith("/") ? rest : rest + "/";
  }

  private CompletableFuture<View> view(
      Spot spot, KeyType<?> type, List<String> folders, Limit limit) {
    CompletableFuture<View> view =
        records
            .read(spot.home(), List.of(spot))
            .thenApply(seen -> new View(seen.entry(spot), new HashMap<>(), seen));
    for (String folder : folders) {
      view =
          view.thenCombine(
              Scan.of(cluster, spot.home(), folder, PAGE, limit),
              (before, scan) -> joined(before, folder, scan));
    }
    return view.thenCompose(
        whole ->
            whole.seen().version() == Scan.MIXED
                ? view(spot, type, folders, limit)
                : CompletableFuture.completedFuture(whole));
  }

  private static View joined(View before, String folder, Scan scan) {
    Map<String, SortedSet<String>> below = new HashMap<>(before.below());
    below.put(folder, new TreeSet<>(new TreeMap<>(scan.records()).keySet()));
    Seen seen = before.seen();
    long version = seen.version() == scan.version() ? seen.version() : Scan.MIXED;
    return new View(before.own(), below, new Seen(seen.entries(), seen.epoch(), version));
  }

  private static DatastoreException notSupported(Key<?> key, String why) {
    return new DatastoreException.NotSupported("delete", key.path(), why);
  }
}
