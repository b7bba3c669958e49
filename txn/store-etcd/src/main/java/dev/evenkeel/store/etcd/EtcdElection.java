package dev.evenkeel.store.etcd;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.election.LeaderElection;
import dev.evenkeel.api.election.Leadership;
import io.etcd.jetcd.api.KeyValue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership by etcd's leases, for the candidates of one group below one root. Opened and closed by
 * the program; any thread; never blocks, but for {@link #close}.
 *
 * <p>The epoch is the revision at which the winner's key was made, so a later winner's is larger.
 * Winning raises the fence of the group: from then on etcd refuses every write of an {@link
 * EtcdDatastore} of the same root and group under an older epoch, whatever its sender believes.
 */
public final class EtcdElection implements LeaderElection {
  private static final Logger LOG = LoggerFactory.getLogger(EtcdElection.class);
  private static final int MOST_OBSERVERS = 100;
  private static final int LONGEST_NAME = 1_000;

  private final EtcdSettings settings;
  private final Duration life;
  private final Connection connection;
  private final List<Candidacy> running = new CopyOnWriteArrayList<>();
  private final List<Observation> observations = new CopyOnWriteArrayList<>();
  private final Object lifecycle = new Object();
  private boolean closed;

  private EtcdElection(EtcdSettings settings, Duration life) {
    this.settings = settings;
    this.life = life;
    this.connection = Connection.open(settings, "evenkeel-etcd-election");
  }

  /**
   * Opens a client of its own; does not wait for etcd.
   *
   * @param life of the lease, in whole seconds, 1 s to 1 h: so long after a leader has died another
   *     one leads. etcd raises it to its own least (its election timeout and a half)
   * @throws EvenkeelException of kind {@code INVALID} for an odd life or an unreadable certificate
   */
  public static EtcdElection open(EtcdSettings settings, Duration life) {
    if (life.toSeconds() < 1
        || life.toSeconds() > 3_600
        || !life.equals(Duration.ofSeconds(life.toSeconds()))) {
      throw InvalidInputException.of(
          "election", "life", life.toString(), "must be whole seconds, 1 s to 1 h");
    }
    return new EtcdElection(settings, life);
  }

  @Override
  public CompletionStage<Leadership> campaign(String candidate) {
    if (candidate.length() > LONGEST_NAME) {
      throw InvalidInputException.of(
          "election", "candidate", "", "must be at most " + LONGEST_NAME + " characters");
    }
    Candidacy candidacy;
    synchronized (lifecycle) {
      if (closed) {
        return CompletableFuture.failedFuture(isClosed());
      }
      candidacy = new Candidacy(connection, settings, life, candidate, running::remove);
      running.add(candidacy);
    }
    return candidacy.start();
  }

  @Override
  public Duration lease() {
    return life;
  }

  @Override
  public AutoCloseable observe(Consumer<Optional<Leader>> observer) {
    Observation observation;
    synchronized (lifecycle) {
      if (closed) {
        throw isClosed();
      }
      if (observations.size() >= MOST_OBSERVERS) {
        throw new EvenkeelException(
            ErrorKind.RESOURCE_EXHAUSTED, "more than " + MOST_OBSERVERS + " observers");
      }
      observation = new Observation(observer);
      observations.add(observation);
    }
    observation.start();
    return observation;
  }

  /** Gives leadership up, and waits for that for two seconds at most. */
  @Override
  public void close() {
    synchronized (lifecycle) {
      if (closed) {
        return;
      }
      closed = true;
    }
    observations.forEach(Observation::close);
    CompletableFuture<?>[] resigned =
        running.stream()
            .map(candidacy -> candidacy.resign().toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(resigned).get(2, TimeUnit.SECONDS);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException late) {
      LOG.debug("leadership ends with its lease", late);
    }
    connection.close();
  }

  private static EvenkeelException isClosed() {
    return new EvenkeelException(ErrorKind.UNAVAILABLE, "this election is closed");
  }

  /** Who leads, for one observer. */
  private final class Observation implements AutoCloseable {
    private final Consumer<Optional<Leader>> observer;
    private final Serial serial = new Serial(connection.watchers());
    private final Candidates candidates;
    private Optional<Leader> told = Optional.empty();
    private boolean toldAny;
    private volatile boolean over;

    Observation(Consumer<Optional<Leader>> observer) {
      this.observer = observer;
      Bytes.Range everybody =
          Bytes.Range.prefix(settings.root() + "#election/" + settings.group() + "/");
      this.candidates = new Candidates(connection, settings, serial, everybody, this::changed);
    }

    void start() {
      serial.execute(candidates::start);
    }

    private void changed(Candidates now) {
      Map.Entry<Long, KeyValue> oldest = now.byAge().firstEntry();
      Optional<Leader> leader =
          Optional.ofNullable(oldest)
              .map(e -> new Leader(Bytes.text(e.getValue().getValue()), new Epoch(e.getKey())));
      if (over || (toldAny && leader.equals(told))) {
        return;
      }
      told = leader;
      toldAny = true;
      try {
        observer.accept(leader);
      } catch (RuntimeException thrown) {
        LOG.warn("an observer of the election of {} has failed", settings.group(), thrown);
      }
    }

    @Override
    public void close() {
      over = true;
      observations.remove(this);
      serial.execute(candidates::close);
    }
  }
}
