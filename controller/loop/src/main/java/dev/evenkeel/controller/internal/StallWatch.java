package dev.evenkeel.controller.internal;

import dev.evenkeel.api.loop.Stall;
import dev.evenkeel.controller.core.LoopClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the loop's thread from a thread of its own, with two thresholds. The stopwatch runs on
 * the loop's thread: each time round, it notes when it began, and counts; before it sleeps, it
 * counts once more. So a look sees whether it is the same time round as at the last look, and since
 * when. A loop that sleeps is woken now and then, and must come round: so a thread that has died,
 * or is not woken any more, is seen as well.
 *
 * <p>A watch that has not been able to look itself for long, since the whole process stood still,
 * begins to measure anew. Costs the loop two plain writes a turn.
 */
final class StallWatch {
  private static final Logger LOG = LoggerFactory.getLogger(StallWatch.class);
  private static final int LOOKS = 4;
  private static final Duration LEAST = Duration.ofMillis(1);

  /** Odd in the middle of a turn, even while the loop sleeps. */
  private final AtomicLong rounds = new AtomicLong();

  private final LoopClock clock;
  private final Duration warning;
  private final Duration limit;
  private final Duration every;
  private final Reports reports;
  private final Thread thread;
  private Instant began = Instant.EPOCH;

  private volatile boolean stopping;
  private volatile long actedRound = -1;
  private volatile @Nullable Stall acted;

  // The watch's own.
  private Instant looked;
  private Instant since;
  private long watched = -1;
  private @Nullable Stall told;
  private boolean warned;

  /** What is done about what it sees; on the watch's thread. */
  interface Reports {
    /** The loop may sleep: it is to come round once. */
    void wake();

    /** A threshold has passed. */
    Stall stalled(Stall.Level level, Instant since, Instant fired);

    /** The thread moves again. */
    void over(Stall last, Duration lasted);
  }

  /** A watch; with both thresholds zero it sees nothing, and needs no thread. */
  StallWatch(String name, LoopClock clock, Duration warning, Duration limit, Reports reports) {
    this.clock = clock;
    this.warning = warning;
    this.limit = limit;
    this.reports = reports;
    Duration first = warning.isZero() ? limit : warning;
    Duration often = first.dividedBy(LOOKS);
    this.every = often.compareTo(LEAST) < 0 ? LEAST : often;
    this.looked = clock.now();
    this.since = looked;
    this.thread = new Thread(this::work, name);
    this.thread.setDaemon(true);
  }

  void start() {
    if (!warning.isZero() || !limit.isZero()) {
      thread.start();
    }
  }

  void stop() {
    stopping = true;
    clock.wake(thread);
  }

  /** The loop's thread comes round. */
  @SuppressWarnings("ReferenceEquality") // the same object need not be stored again
  void begin(Instant now) {
    if (began != now) {
      began = now;
    }
    rounds.lazySet((rounds.getPlain() + 1) | 1);
  }

  /** The loop's thread goes to sleep. */
  void idle() {
    rounds.lazySet(rounds.getPlain() + 1);
  }

  /** For how long the thread has been held; any thread. */
  Duration held(Instant now) {
    boolean busy = rounds.get() % 2 != 0;
    Instant from = began;
    return busy && from.isBefore(now) ? Duration.between(from, now) : Duration.ZERO;
  }

  /** The stall whose second threshold has passed, until the thread moves; any thread. */
  Optional<Stall> stall() {
    long round = actedRound;
    return round == rounds.get() ? Optional.ofNullable(acted) : Optional.empty();
  }

  private void work() {
    while (!stopping) {
      clock.park(Optional.of(looked.plus(every)));
      if (!clock.now().isBefore(looked.plus(every))) {
        look();
      }
      boolean unused = Thread.interrupted();
    }
  }

  /** One look. */
  void look() {
    Instant now = clock.now();
    boolean stoodStill = looked.plus(every.multipliedBy(3)).isBefore(now);
    looked = now;
    long round = rounds.get();
    boolean sleeps = round % 2 == 0;
    if (round != watched) {
      over(now);
      watched = round;
      since = sleeps || stoodStill ? now : began;
    } else if (stoodStill && told == null) {
      since = now;
    }
    if (sleeps) {
      reports.wake();
    }
    Duration held = Duration.between(since, now);
    if (passed(warning, held) && !warned) {
      warned = true;
      told = tell(Stall.Level.WARNING, now);
    }
    if (passed(limit, held) && actedRound != round) {
      Stall stall = tell(Stall.Level.LIMIT, now);
      told = stall;
      acted = stall;
      actedRound = round;
    }
  }

  private static boolean passed(Duration threshold, Duration held) {
    return !threshold.isZero() && held.compareTo(threshold) >= 0;
  }

  private @Nullable Stall tell(Stall.Level level, Instant now) {
    try {
      return reports.stalled(level, since, now);
    } catch (RuntimeException | Error thrown) {
      LOG.error("{} cannot say what it sees", thread.getName(), thrown);
      return null;
    }
  }

  private void over(Instant now) {
    Stall last = told;
    told = null;
    warned = false;
    acted = null;
    if (last != null) {
      reports.over(last, Duration.between(since, now));
    }
  }

  /** Where a thread is, innermost first, no more than that many frames. */
  static List<StackTraceElement> stackOf(Thread thread, int most) {
    StackTraceElement[] all = thread.getStackTrace();
    return List.of(all).subList(0, Math.min(all.length, most));
  }
}
