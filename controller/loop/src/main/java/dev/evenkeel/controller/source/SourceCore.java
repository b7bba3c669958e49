package dev.evenkeel.controller.source;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.SyncStatus;
import dev.evenkeel.api.datastore.Update;
import dev.evenkeel.api.datastore.UpdateType;
import dev.evenkeel.controller.source.SourceStatus.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The datastore source as a state machine without thread, clock and I/O: what happens goes in, and
 * effects come out. Its owner holds a lock around every call, and carries effects out without it
 * (DW-8).
 *
 * <p>While the remote store is away it is probed. When it answers, a new syncer reads it; what the
 * old one says is not heard any more. When all was read, what is missing is asked for, since a list
 * leaves out what cannot be decoded (DW-2). Then the mirror catches up, one snapshot is pushed, and
 * from then on changes, until sync is lost.
 */
final class SourceCore {
  private static final int MOST_INVALID = 1000;
  private static final int MOST_TOMBSTONES = 10_000;

  private final SourceOptions options;
  private final Set<KeyType<?>> kinds;
  private final Timers timers = new Timers();
  private final Outbox outbox;
  private final MirrorKeeper mirror;
  private final Backoff checks;
  private final Queue<Effect> effects = new ArrayDeque<>();
  private final TreeSet<String> invalid = new TreeSet<>();
  private final Map<String, Pair> orphans = new TreeMap<>();
  private final Map<String, Revision> tombstones = new LinkedHashMap<>();
  private Map<String, Pair> picture = new LinkedHashMap<>();
  private @Nullable Map<String, Pair> fresh;
  private volatile Phase phase = Phase.NEW;
  private Revision newest = Revision.NONE;
  private boolean everSynced;
  private boolean localWanted;
  private boolean probeFailed;
  private int generation;
  private long ids;
  private long probe;
  private long check;

  SourceCore(SourceOptions options, Set<KeyType<?>> kinds, DoubleSupplier random) {
    this.options = options;
    this.kinds = kinds;
    Duration first = options.retryFirst();
    Backoff pushes = new Backoff(first.dividedBy(100), first, random);
    Backoff writes = new Backoff(first, options.retryCap(), random);
    this.outbox = new Outbox(options, timers, pushes, () -> ++ids);
    this.mirror = new MirrorKeeper(options, timers, writes, () -> ++ids);
    this.checks = new Backoff(first, options.retryCap(), random);
  }

  SourceOptions options() {
    return options;
  }

  /** Whether it has ended; any thread may ask. */
  boolean isClosed() {
    return phase == Phase.CLOSED;
  }

  void start(Instant now) {
    if (phase == Phase.NEW) {
      enter(Phase.AWAY);
      timers.set(Timers.Kind.LOCAL, now.plus(options.localDelay()));
      probe(now);
    }
  }

  void close() {
    if (phase != Phase.CLOSED) {
      effects.clear();
      effects.add(new Effect.StopSync(generation));
      enter(Phase.CLOSED);
    }
  }

  private void enter(Phase next) {
    if (phase != next) {
      phase = next;
      effects.add(new Effect.Tell(status()));
    }
  }

  /** The next thing to do, or null. */
  @Nullable Effect poll(Instant now) {
    if (effects.isEmpty() && phase != Phase.CLOSED && phase != Phase.NEW) {
      mirror.next(picture, newest, now).ifPresent(effects::add);
      if (!mirror.isReplacing()) {
        outbox.next(picture).ifPresent(effects::add);
      }
    }
    return effects.poll();
  }

  /** When {@link #tick} is wanted next. */
  Optional<Instant> next() {
    return phase == Phase.CLOSED ? Optional.empty() : timers.next();
  }

  SourceStatus status() {
    return new SourceStatus(
        options.name(),
        phase,
        picture.size(),
        invalid,
        mirror.status(),
        outbox.resyncs,
        outbox.changes,
        outbox.coalesced,
        outbox.overflows);
  }

  /** Time has passed. */
  void tick(Instant now) {
    if (phase == Phase.CLOSED) {
      return;
    }
    if (timers.fires(Timers.Kind.PROBE_LIMIT, now)) {
      probed(probe, Optional.of(late("probe")), now);
    }
    if (timers.fires(Timers.Kind.CHECK_LIMIT, now)) {
      checkFailed(check, late("check"), now);
    }
    if (timers.fires(Timers.Kind.MIRROR_LIMIT, now)) {
      mirrorFailed(late("mirror"), now);
    }
    if (timers.fires(Timers.Kind.PROBE, now)) {
      probe(now);
    }
    if (timers.fires(Timers.Kind.CHECK, now) && phase == Phase.CHECKING) {
      check(now);
    }
    // What these hold back goes on in poll.
    var unusedMirror = timers.fires(Timers.Kind.MIRROR, now);
    var unusedPush = timers.fires(Timers.Kind.PUSH, now);
    if (timers.fires(Timers.Kind.LOCAL, now)) {
      localWanted = true;
      local();
    }
    if (timers.fires(Timers.Kind.STUCK, now)) {
      outbox.stuck();
    }
  }

  private static Failure failure(String operation, ErrorKind kind, String message) {
    return Failure.of("source", operation, kind, message);
  }

  private static Failure late(String operation) {
    return failure(
        operation, ErrorKind.DEADLINE_EXCEEDED, "the datastore has not answered in time");
  }

  private void report(Failure failure) {
    effects.add(
        new Effect.Report(
            new Failure(
                failure.key(),
                failure.base(),
                "source " + options.name(),
                failure.operation(),
                failure.kind(),
                failure.message())));
  }

  // The connection.

  private void probe(Instant now) {
    probe = ++ids;
    timers.set(Timers.Kind.PROBE_LIMIT, now.plus(options.probeLimit()));
    effects.add(new Effect.Probe(probe));
  }

  /** The store has answered a probe, or not. */
  void probed(long id, Optional<Failure> failure, Instant now) {
    if (id != probe || phase == Phase.CLOSED) {
      return;
    }
    probe = 0;
    timers.clear(Timers.Kind.PROBE_LIMIT);
    if (failure.isPresent()) {
      lost(failure.get(), now);
      return;
    }
    probeFailed = false;
    if (phase == Phase.AWAY) {
      connect(now);
    } else if (phase == Phase.IN_SYNC) {
      timers.set(Timers.Kind.PROBE, now.plus(options.probeInterval()));
      checkOrphans(now);
    }
  }

  /** The store does not answer: nothing of its syncer is heard from here on. */
  private void lost(Failure failure, Instant now) {
    if (!probeFailed) {
      probeFailed = true;
      report(failure);
    }
    if (phase != Phase.AWAY) {
      effects.add(new Effect.StopSync(generation));
      generation++;
      fresh = null;
      check = 0;
      timers.clear(Timers.Kind.CHECK);
      timers.clear(Timers.Kind.CHECK_LIMIT);
      enter(Phase.AWAY);
    }
    timers.set(Timers.Kind.PROBE, now.plus(options.probeInterval()));
  }

  /** Its data gets the delay of a local resync once more, counted from now. */
  private void connect(Instant now) {
    generation++;
    fresh = new LinkedHashMap<>();
    tombstones.clear();
    orphans.clear();
    enter(Phase.SYNCING);
    effects.add(new Effect.StartSync(generation));
    if (timers.isSet(Timers.Kind.LOCAL)) {
      timers.set(Timers.Kind.LOCAL, now.plus(options.localDelay()));
    }
  }

  /** A syncer could not be made. */
  void syncFailed(int of, Failure failure, Instant now) {
    if (of == generation && phase != Phase.CLOSED) {
      lost(failure, now);
    }
  }

  // What the syncer says.

  /** The status of a syncer. */
  void status(int of, SyncStatus status, Instant now) {
    if (of != generation || phase == Phase.CLOSED || phase == Phase.AWAY) {
      return;
    }
    if (status == SyncStatus.IN_SYNC) {
      if (phase == Phase.SYNCING) {
        enter(Phase.CHECKING);
        check(now);
      }
    } else if (phase != Phase.SYNCING) {
      timers.clear(Timers.Kind.PROBE);
      timers.clear(Timers.Kind.PROBE_LIMIT);
      timers.clear(Timers.Kind.CHECK);
      timers.clear(Timers.Kind.CHECK_LIMIT);
      probe = 0;
      check = 0;
      enter(Phase.SYNCING);
      report(failure("sync", ErrorKind.UNAVAILABLE, "sync with the datastore is lost"));
    }
  }

  /** Updates of a syncer. */
  void updates(int of, List<Update> updates) {
    if (of == generation && phase != Phase.CLOSED && phase != Phase.AWAY) {
      updates.forEach(this::update);
    }
  }

  private void update(Update update) {
    KeyValue<?> told = update.pair();
    Key<?> key = told.key();
    String path = key.path();
    if (update.type() == UpdateType.DELETED) {
      delete(path);
      return;
    }
    Object value = told.value().orElse(null);
    if (!kinds.contains(key.type())
        || value == null
        || !key.type().valueType().isInstance(value)
        || update.type() == UpdateType.UNKNOWN) {
      report(failure("update", ErrorKind.INVALID, path + " is of no kind that was asked for"));
      return;
    }
    Pair pair = new Pair(key, value, told.revision());
    Pair before = current().get(path);
    boolean stale =
        pair.revision().isGiven()
            && (pair.revision().equals(tombstones.get(path))
                || (before != null && before.revision().equals(pair.revision())));
    if (!stale) {
      invalid.remove(path);
      orphans.remove(path);
      newest = pair.revision();
      changed(path, key, Optional.ofNullable(current().put(path, pair)), Optional.of(pair));
    }
  }

  private Map<String, Pair> current() {
    return fresh == null ? picture : fresh;
  }

  private void delete(String path) {
    invalid.remove(path);
    orphans.remove(path);
    Pair gone = current().remove(path);
    if (gone != null) {
      bury(path, gone.revision());
      changed(path, gone.remote(), Optional.of(gone), Optional.empty());
    }
  }

  /** What was deleted does not come back by the write that made it (DW-7). */
  private void bury(String path, Revision revision) {
    tombstones.remove(path);
    tombstones.put(path, revision);
    if (tombstones.size() > MOST_TOMBSTONES) {
      tombstones.remove(tombstones.keySet().iterator().next());
    }
  }

  private void changed(String path, Key<?> remote, Optional<Pair> before, Optional<Pair> now) {
    if (phase == Phase.IN_SYNC) {
      outbox.changed(path, before, remote instanceof Prefixed<?>);
      mirror.changed(path, new Effect.Change(remote, now));
    }
  }

  /** A stored value cannot be decoded: the one before stays (DW-2). */
  void unparsable(int of, String path) {
    if (of == generation && phase != Phase.CLOSED && phase != Phase.AWAY) {
      invalid(path);
    }
  }

  private void invalid(String path) {
    if (invalid.size() < MOST_INVALID && invalid.add(path)) {
      report(
          failure(
                  "decode",
                  ErrorKind.INVALID,
                  "the stored value cannot be decoded; its last good value stays: correct it")
              .about(path, path));
    }
  }

  // What is missing.

  /** All was read. What was known and is missing is gone, or it cannot be decoded. */
  private void check(Instant now) {
    Map<String, Pair> read = fresh;
    if (!everSynced && mirror.isReading()) {
      timers.set(Timers.Kind.CHECK, now.plus(options.retryFirst()));
      return;
    }
    List<Key<?>> missing = new ArrayList<>();
    if (read != null) {
      picture.forEach((path, pair) -> addMissing(read, path, pair, missing));
    }
    if (missing.isEmpty()) {
      accept(now);
    } else {
      ask(missing, now);
    }
  }

  private static void addMissing(
      Map<String, Pair> read, String path, Pair pair, List<Key<?>> missing) {
    if (!read.containsKey(path)) {
      missing.add(pair.remote());
    }
  }

  private void ask(List<Key<?>> keys, Instant now) {
    check = ++ids;
    timers.set(Timers.Kind.CHECK_LIMIT, now.plus(options.callLimit()).plusMillis(keys.size()));
    effects.add(new Effect.Check(check, List.copyOf(keys)));
  }

  private void checkOrphans(Instant now) {
    if (!orphans.isEmpty() && check == 0) {
      ask(orphans.values().stream().<Key<?>>map(Pair::remote).toList(), now);
    }
  }

  /** The keys that were asked for have been looked at; those that cannot be decoded are named. */
  void checked(long id, List<Key<?>> unparsable, Set<String> gone, Instant now) {
    if (id != check || phase == Phase.CLOSED) {
      return;
    }
    check = 0;
    checks.succeeded();
    timers.clear(Timers.Kind.CHECK_LIMIT);
    if (phase == Phase.IN_SYNC) {
      gone.stream().filter(orphans::containsKey).toList().forEach(this::delete);
      return;
    }
    Map<String, Pair> read = fresh;
    for (Key<?> key : unparsable) {
      Pair last = picture.get(key.path());
      if (read != null && last != null && read.putIfAbsent(key.path(), last) == null) {
        orphans.put(key.path(), last);
        invalid(key.path());
      }
    }
    accept(now);
  }

  /** They could not be looked at: later again, with growing pauses (DW-1). */
  void checkFailed(long id, Failure failure, Instant now) {
    if (id == 0 || id != check || phase == Phase.CLOSED) {
      return;
    }
    check = 0;
    timers.clear(Timers.Kind.CHECK_LIMIT);
    if (phase == Phase.CHECKING) {
      report(failure);
      timers.set(Timers.Kind.CHECK, now.plus(checks.failed()));
    }
  }

  private void accept(Instant now) {
    if (fresh != null) {
      picture = fresh;
      fresh = null;
      invalid.retainAll(picture.keySet());
    }
    everSynced = true;
    timers.clear(Timers.Kind.LOCAL);
    timers.set(Timers.Kind.PROBE, now.plus(options.probeInterval()));
    mirror.replace();
    outbox.all(false);
    enter(Phase.IN_SYNC);
  }

  // The mirror.

  /** The mirror has been read. */
  void mirrorRead(long id, List<Pair> content, Instant now) {
    if (!mirror.ended(id) || everSynced) {
      return;
    }
    mirror.succeeded();
    if (content.isEmpty()) {
      mirror.empty(now);
    } else {
      content.forEach(pair -> picture.put(pair.remote().path(), pair));
      local();
    }
    resumeCheck(now);
  }

  /** The mirror has been written. */
  void mirrorWritten(long id) {
    if (mirror.ended(id)) {
      mirror.succeeded();
    }
  }

  /** The mirror could not be read or written. */
  void mirrorFailed(long id, Failure failure, Instant now) {
    if (phase != Phase.CLOSED && mirror.ended(id)) {
      mirrorFailed(failure, now);
    }
  }

  private void mirrorFailed(Failure failure, Instant now) {
    report(mirror.failed(failure, now));
    resumeCheck(now);
  }

  private void resumeCheck(Instant now) {
    if (phase == Phase.CHECKING && check == 0) {
      timers.clear(Timers.Kind.CHECK);
      check(now);
    }
  }

  /** The mirror's content stands in for a remote store that is away (EL-46). */
  private void local() {
    if (localWanted && !everSynced && !picture.isEmpty()) {
      localWanted = false;
      outbox.all(true);
    }
  }

  // What the loop says.

  /** The loop has taken or refused an event. */
  void pushed(long id, Outbox.Answer answer, Instant now) {
    outbox.pushed(id, answer, now);
  }

  /** An event that the loop had taken has its outcome. */
  void ended(boolean dropped, Instant now) {
    outbox.ended(dropped, now);
  }
}
