package dev.evenkeel.controller.source;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.Codecs;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.loop.EventQueueFullException;
import dev.evenkeel.api.loop.ExternalSource;
import dev.evenkeel.api.loop.LoopClosedException;
import dev.evenkeel.api.loop.NotLeaderException;
import dev.evenkeel.controller.core.LoopClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * External configuration out of a directory of JSON and YAML files (event loop reference, A8). A
 * file is an object: paths of keys with their values. What was read is written to a state file, and
 * forced to the disk, before it is given to the loop: so what a loop has seen once is still there
 * after a crash, even if the directory is not.
 *
 * <p>A file that cannot be decoded keeps its last good content, and is reported with line and
 * column. A file that is gone takes its keys along. Of files that have the same key the first by
 * name counts, and it is reported. Write a file under a name that begins with a dot, and rename it:
 * then nobody sees half of it.
 *
 * <p>Opened and started by whoever wires a controller; any thread. It has two threads of its own.
 */
@Experimental
public final class DirectorySource implements ExternalSource, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DirectorySource.class);
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LAST_RETRY = Duration.ofSeconds(30);

  private final Builder parts;
  private final FolderText text;
  private final FolderScan scan;
  private final FolderState state;
  private final LoopClock clock;
  private final Pump pump;
  private final FolderWatch watch;
  private final Backoff backoff = new Backoff(FIRST_RETRY, LAST_RETRY, () -> 0);
  private final AtomicBoolean changed = new AtomicBoolean();

  /** What is on the disk: what a resync of the loop is given. */
  private volatile FolderContent accepted;

  // The pump's thread alone.
  private SortedMap<String, String> pushed;
  private SortedMap<String, Failure> problems = new TreeMap<>();
  private @Nullable Instant nextLook;
  private @Nullable Instant nextPoll;
  private @Nullable Instant nextPush;
  private @Nullable EventLoop loop;
  private boolean closed;

  private DirectorySource(Builder parts) throws IOException {
    this.parts = parts;
    this.clock = parts.clock == null ? LoopClock.system() : parts.clock;
    this.text = new FolderText(parts.kinds, parts.codecs);
    this.scan = new FolderScan(parts.name, parts.folder, text);
    this.state = new FolderState(parts.state);
    this.accepted = decodable(state.read());
    this.pump = new Pump("evenkeel-source-" + parts.name, clock, this::work);
    this.watch = new FolderWatch(parts.name, parts.folder, this::changed);
    look();
    this.pushed = accepted.values();
  }

  /**
   * Begins a source.
   *
   * @param name unique among the sources of a loop: letters, digits, dots and dashes
   * @param folder whose files are read
   * @param state the file that it keeps; in another directory, which exists
   * @param codecs how values are written in files
   */
  public static Builder builder(String name, Path folder, Path state, Codecs codecs) {
    return new Builder(name, folder, state, codecs);
  }

  @Override
  public String name() {
    return parts.name;
  }

  @Override
  public int priority() {
    return parts.priority;
  }

  /** What is on the disk. Does not wait; also after close. */
  @Override
  public InputState snapshot() {
    List<dev.evenkeel.api.KeyedValue<?>> values = new ArrayList<>();
    accepted.values().forEach((path, json) -> values.add(text.value(path, json)));
    return InputState.of(values);
  }

  /**
   * Begins to watch, and to push changes to that loop, with which it should be registered. Only the
   * first call counts, and none after close.
   */
  public synchronized void start(EventLoop target) {
    if (loop == null && !closed) {
      loop = target;
      changed.set(true); // something may have changed since it was opened
      watch.start();
      pump.start();
    }
  }

  private void changed() {
    changed.set(true);
    pump.wake();
  }

  // On the pump's thread.

  private Optional<Instant> work() {
    Instant now = clock.now();
    if (changed.getAndSet(false) && nextLook == null) {
      nextLook = now.plus(parts.settle);
    }
    if (isDue(nextLook, now) || isDue(nextPoll, now) || nextPoll == null) {
      nextLook = null;
      nextPoll = now.plus(parts.poll);
      watch.renew();
      look();
      nextPush = now;
    }
    if (isDue(nextPush, now)) {
      nextPush = push(now);
    }
    return List.of(
            Optional.ofNullable(nextLook),
            Optional.ofNullable(nextPoll),
            Optional.ofNullable(nextPush))
        .stream()
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  private static boolean isDue(@Nullable Instant at, Instant now) {
    return at != null && !at.isAfter(now);
  }

  /** What an earlier program has stored, and this one cannot decode, is reported and left out. */
  private FolderContent decodable(FolderContent stored) {
    SortedMap<String, SortedMap<String, String>> files = new TreeMap<>();
    stored
        .files()
        .forEach(
            (name, values) -> {
              SortedMap<String, String> good = new TreeMap<>(values);
              values.forEach(
                  (path, json) ->
                      text.fault(path, json)
                          .ifPresent(
                              why -> {
                                good.remove(path);
                                report(
                                    Failure.of(
                                        parts.name,
                                        "read",
                                        ErrorKind.INVALID,
                                        path + ", stored of " + name + ", " + why));
                              }));
              files.put(name, good);
            });
    return new FolderContent(files);
  }

  /** Reads the files; what is new is on the disk when this returns, or does not count yet. */
  private void look() {
    FolderScan.Seen seen = scan.look(accepted);
    SortedMap<String, Failure> found = new TreeMap<>(seen.problems());
    if (!seen.content().equals(accepted)) {
      try {
        state.write(seen.content());
        accepted = seen.content();
      } catch (IOException | InvalidInputException failed) {
        found.put(
            parts.state.toString(),
            Failure.of(
                parts.name,
                "store",
                ErrorKind.UNAVAILABLE,
                parts.state + " cannot be written, so nothing new counts: " + failed));
      }
    }
    found.forEach(
        (where, problem) -> {
          if (!problem.equals(problems.get(where))) {
            report(problem);
          }
        });
    problems = found;
  }

  private void report(Failure problem) {
    LOG.warn("{}", problem);
    try {
      parts.listener.onProblem(problem);
    } catch (RuntimeException | Error thrown) {
      LOG.error("the listener of source {} has failed", parts.name, thrown);
    }
  }

  /** Pushes what differs from what was pushed; when to try again. */
  private @Nullable Instant push(Instant now) {
    SortedMap<String, String> values = accepted.values();
    SortedMap<Key<?>, Optional<Object>> changes = changes(pushed, values);
    if (changes.isEmpty()) {
      return null;
    }
    try {
      var unused = Objects.requireNonNull(loop).pushEvent(new ExternalChange(parts.name, changes));
    } catch (EventQueueFullException full) {
      return now.plus(backoff.failed());
    } catch (NotLeaderException | LoopClosedException none) {
      LOG.debug("source {}: nobody takes a change now; the next resync brings it", parts.name);
    }
    backoff.succeeded();
    pushed = values;
    return null;
  }

  private SortedMap<Key<?>, Optional<Object>> changes(
      SortedMap<String, String> before, SortedMap<String, String> after) {
    SortedMap<Key<?>, Optional<Object>> changes = new TreeMap<>();
    after.forEach(
        (path, json) -> {
          if (!json.equals(before.get(path))) {
            changes.put(text.keyOf(path), Optional.of(text.value(path, json).value()));
          }
        });
    before.keySet().stream()
        .filter(path -> !after.containsKey(path))
        .forEach(path -> changes.put(text.keyOf(path), Optional.empty()));
    return changes;
  }

  /** Ends watching; its threads have ended when this returns. Idempotent; any thread. */
  @Override
  public void close() {
    boolean runs;
    synchronized (this) {
      closed = true;
      runs = loop != null;
    }
    watch.close();
    if (runs) {
      pump.close();
    }
  }

  /** Collects the parts of a source; one thread; used once. */
  public static final class Builder {
    private final String name;
    private final Path folder;
    private final Path state;
    private final Codecs codecs;
    private final List<KeyType<?>> kinds = new ArrayList<>();
    private int priority = 100;
    private Duration settle = Duration.ofMillis(100);
    private Duration poll = Duration.ofSeconds(30);
    private SourceListener listener = new SourceListener() {};
    private @Nullable LoopClock clock;

    private Builder(String name, Path folder, Path state, Codecs codecs) {
      this.name = Objects.requireNonNull(name, "name");
      this.folder = Objects.requireNonNull(folder, "folder");
      this.state = Objects.requireNonNull(state, "state");
      this.codecs = Objects.requireNonNull(codecs, "codecs");
    }

    /** Kinds of key that files may have. */
    public Builder kinds(KeyType<?>... types) {
      kinds.addAll(List.of(types));
      return this;
    }

    /** Higher wins over lower; 100 unless said otherwise, and 0 is the datastore's. */
    public Builder priority(int chosen) {
      priority = chosen;
      return this;
    }

    /** How long to wait after a change, since others may follow; 100 ms. */
    public Builder settle(Duration pause) {
      settle = pause;
      return this;
    }

    /** How often to look although nothing was heard; 30 s. */
    public Builder poll(Duration pause) {
      poll = pause;
      return this;
    }

    /** Is told of problems. */
    public Builder listener(SourceListener chosen) {
      listener = Objects.requireNonNull(chosen, "listener");
      return this;
    }

    /** Time; the machine's unless said otherwise. */
    public Builder clock(LoopClock chosen) {
      clock = Objects.requireNonNull(chosen, "clock");
      return this;
    }

    /**
     * Reads the state file and the directory, and stores what is new. Blocks.
     *
     * @throws InvalidInputException when parts are wrong, all faults at once; or when the state
     *     file is damaged or of a newer version
     * @throws IOException when the state file cannot be read
     */
    public DirectorySource open() throws IOException {
      List<InvalidInputException.Fault> faults = new ArrayList<>();
      check(
          faults,
          name.matches("[A-Za-z0-9][A-Za-z0-9.-]{0,62}"),
          "name",
          name,
          "must be letters, digits, dots and dashes");
      check(faults, !kinds.isEmpty(), "kinds", "", "must be at least one");
      check(faults, !settle.isNegative(), "settle", settle, "must not be negative");
      check(
          faults,
          poll.compareTo(Duration.ofMillis(10)) >= 0,
          "poll",
          poll,
          "must be 10 ms or more");
      Path home = state.toAbsolutePath().getParent();
      check(
          faults,
          home != null && !home.equals(folder.toAbsolutePath()),
          "state",
          state,
          "must be in another directory than what is watched");
      if (!faults.isEmpty()) {
        throw new InvalidInputException("directory source " + name, faults);
      }
      return new DirectorySource(this);
    }

    private static void check(
        List<InvalidInputException.Fault> faults,
        boolean good,
        String field,
        Object given,
        String wanted) {
      if (!good) {
        faults.add(new InvalidInputException.Fault(field, String.valueOf(given), wanted));
      }
    }
  }
}
