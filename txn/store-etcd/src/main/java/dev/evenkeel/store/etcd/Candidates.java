package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everybody who runs in an election, by age, kept up to date: read once and then watched, and read
 * again when the watch has failed. All methods run in the reader's {@link Serial}.
 */
final class Candidates implements WatchStream.Reader {
  private static final Logger LOG = LoggerFactory.getLogger(Candidates.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Connection connection;
  private final EtcdSettings settings;
  private final Serial serial;
  private final Bytes.Range range;
  private final Consumer<Candidates> changed;
  private final NavigableMap<Long, KeyValue> byAge = new TreeMap<>();
  private WatchStream stream;
  private boolean closed;

  Candidates(
      Connection connection,
      EtcdSettings settings,
      Serial serial,
      Bytes.Range range,
      Consumer<Candidates> changed) {
    this.connection = connection;
    this.settings = settings;
    this.serial = serial;
    this.range = range;
    this.changed = changed;
    this.stream = newStream();
  }

  private WatchStream newStream() {
    return new WatchStream(connection, settings, serial, range, "election", this);
  }

  void start() {
    if (closed) {
      return;
    }
    var unused =
        Listing.read(connection, range, 0, Limit.of("election", Call.usual()))
            .whenComplete(
                (found, failure) ->
                    serial.execute(
                        () -> {
                          if (closed) {
                            return;
                          }
                          if (failure != null) {
                            again(failure);
                          } else {
                            begin(found);
                          }
                        }));
  }

  void close() {
    closed = true;
    stream.close();
  }

  /** Revision of the creation, and the pair, oldest first. */
  NavigableMap<Long, KeyValue> byAge() {
    return byAge;
  }

  private void begin(Listing.Found found) {
    byAge.clear();
    found.pairs().forEach(pair -> byAge.put(pair.getCreateRevision(), pair));
    changed.accept(this);
    if (!closed) {
      stream = newStream();
      stream.start(found.revision() + 1);
    }
  }

  private void again(Throwable failure) {
    LOG.debug("who runs in the election of {} is read again", settings.group(), failure);
    connection.later(PAUSE, () -> serial.execute(this::start));
  }

  @Override
  public void events(List<Event> events) {
    for (Event event : events) {
      KeyValue pair = event.getKv();
      if (event.getType() == Event.EventType.DELETE) {
        ByteString gone = pair.getKey();
        byAge.values().removeIf(known -> known.getKey().equals(gone));
      } else {
        byAge.put(pair.getCreateRevision(), pair);
      }
    }
    changed.accept(this);
  }

  @Override
  public void progress(long revision) {}

  @Override
  public void failed(DatastoreException failure) {
    again(failure);
  }
}
