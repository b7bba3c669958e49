package dev.evenkeel.app.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.EventSpec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.app.serve.ServeSettings;
import dev.evenkeel.controller.core.ControllerLoop;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.txn.history.HistoryOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What it costs the loop to be looked at: alone and looked at take turns in one run, and the ratio
 * is printed. It is judged with a wide margin only, as the machine has other things to do.
 */
@Tag("long")
class LookedAtTest {
  private static final int RECORDS = 100_000;
  private static final int STREAMS = 200;
  private static final int ROUNDS = 7;
  private static final int EVENTS = 1_000;
  private static final long PACE_NANOS = 2_000_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private record Tick(long number) implements UpdateEvent {
    static final EventType<Tick> TYPE = EventType.of("tick", Tick.class);

    @Override
    public EventType<Tick> type() {
      return TYPE;
    }

    @Override
    public EventSpec spec() {
      return EventSpec.bestEffort();
    }
  }

  @Test
  @DisplayName(
      "200 streams, half of which do not read, and 100,000 records asked for again and again")
  void lookedAt() throws Exception {
    EventHandler ticks = Handlers.named("ticks").on(Tick.class, (event, turn) -> "ticks").build();
    SessionSetup setup =
        SessionSetup.usual()
            .with(
                LoopConfig.builder().historyRecords(2 * RECORDS).historyBytes(1L << 30).build(),
                HistoryOptions.standard())
            .withHandlers(List.of(ticks));
    try (Service service =
        Service.start(
            StateDir.open(folder.resolve("state")),
            setup,
            ServeSettings.local(0),
            Map.of(),
            false,
            List.of())) {
      service.resync(LIMIT);
      ControllerLoop loop = service.session().loop();
      for (int i = 0; i < RECORDS; i++) {
        var submission = loop.pushEvent(new Tick(i), LIMIT);
        if (i % 1_000 == 0) {
          submission.await(LIMIT).throwIfFailed();
        }
      }
      long[] alone = new long[ROUNDS];
      long[] looked = new long[ROUNDS];
      AtomicLong answers = new AtomicLong();
      long unused = p90(loop);
      for (int round = 0; round < ROUNDS; round++) {
        alone[round] = p90(loop);
        try (Lookers lookers = new Lookers(service, answers)) {
          looked[round] = p90(loop);
          assertEquals(STREAMS, lookers.sockets.size());
        }
      }
      double ratio = (double) median(looked) / median(alone);
      System.out.printf(
          "looked at: p90 %d us, alone %d us, ratio %.2f; %d answers of the whole history%n",
          median(looked) / 1_000, median(alone) / 1_000, ratio, answers.get());
      assertTrue(answers.get() > 0, "nobody looked");
      assertTrue(ratio < 20, "looking at it holds the loop up: " + ratio);
    }
  }

  /** The 90th percentile of the time from a push to its outcome, in nanoseconds. */
  private static long p90(ControllerLoop loop) throws Exception {
    long[] nanos = new long[EVENTS];
    for (int i = 0; i < EVENTS; i++) {
      long from = System.nanoTime();
      loop.pushEvent(new Tick(i)).await(LIMIT).throwIfFailed();
      nanos[i] = System.nanoTime() - from;
      LockSupport.parkNanos(PACE_NANOS);
    }
    Arrays.sort(nanos);
    return nanos[EVENTS * 9 / 10];
  }

  private static long median(long[] numbers) {
    long[] sorted = numbers.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Who looks: streams that are read, streams that are not, and who asks for all that there is. */
  private static final class Lookers implements AutoCloseable {
    private final List<Socket> sockets = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();

    Lookers(Service service, AtomicLong answers) throws IOException {
      URI uri = URI.create(service.address());
      String request =
          "GET /api/v1/events/stream HTTP/1.1\r\nHost: " + uri.getAuthority() + "\r\n\r\n";
      for (int i = 0; i < STREAMS; i++) {
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        sockets.add(socket);
      }
      start(this::readHalf);
      start(() -> askAll(service.address(), answers));
    }

    private void start(Runnable work) {
      Thread thread = new Thread(work, "looker");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }

    private void readHalf() {
      byte[] buffer = new byte[1 << 16];
      while (!ended.get()) {
        try {
          for (int i = 0; i < STREAMS; i += 2) {
            InputStream in = sockets.get(i).getInputStream();
            if (in.available() > 0) {
              assertTrue(in.read(buffer) > 0);
            }
          }
        } catch (IOException closed) {
          return;
        }
        LockSupport.parkNanos(PACE_NANOS);
      }
    }

    private void askAll(String address, AtomicLong answers) {
      while (!ended.get()) {
        try {
          HttpURLConnection all =
              (HttpURLConnection)
                  URI.create(address + "/api/v1/events?last=" + RECORDS + "&limit=1000")
                      .toURL()
                      .openConnection();
          assertEquals(200, all.getResponseCode());
          try (InputStream in = all.getInputStream()) {
            assertTrue(in.readAllBytes().length > 100_000);
          }
          long unused = answers.incrementAndGet();
        } catch (IOException closed) {
          return;
        }
        LockSupport.parkNanos(50 * PACE_NANOS);
      }
    }

    @Override
    public void close() throws IOException {
      ended.set(true);
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }
}
