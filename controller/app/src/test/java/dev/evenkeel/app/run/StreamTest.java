package dev.evenkeel.app.run;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.LoopState;
import dev.evenkeel.app.serve.EventStream;
import dev.evenkeel.app.serve.ServeSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stream of ended events, with readers that read and readers that do not. */
class StreamTest {
  private static final int LIMIT_MILLIS = 60_000;
  private static final int MOST = 5;
  private static final int BATCH = 250;

  @TempDir private Path folder;

  private Running start() {
    return Running.in(
        folder,
        new ServeSettings(
            "127.0.0.1", 0, Optional.empty(), Optional.empty(), Optional.empty(), MOST),
        List.of());
  }

  /** One who listens; reads only when asked to. */
  private static final class Listener implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader lines;
    private final String head;

    Listener(Running running, boolean small) throws IOException {
      URI uri = URI.create(running.address());
      socket = new Socket();
      if (small) {
        socket.setReceiveBufferSize(4_096);
      }
      socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
      socket.setSoTimeout(LIMIT_MILLIS);
      String request =
          "GET /api/v1/events/stream HTTP/1.1\r\nHost: " + uri.getAuthority() + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      head = lines.readLine();
    }

    /** Reads on until a line has that in it. */
    String until(String text) throws IOException {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains(text)) {
          return line;
        }
      }
      throw new IOException("ended before " + text);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static void push(Running running, String name) {
    Running.Got got =
        running.push("{\"event\":\"create-volume\",\"name\":\"" + name + "\",\"size\":1}");
    assertEquals("applied", got.json().get("outcome").asString(), got::text);
  }

  @Test
  @DisplayName("an event is told as it ends, with its outcome and its number")
  void told() throws Exception {
    try (Running running = start();
        Listener listener = new Listener(running, false)) {
      assertTrue(listener.head.contains("200"), listener.head);
      listener.until("retry:");
      push(running, "told");

      assertEquals("event: event", listener.until("event: "));
      assertTrue(listener.until("id: ").startsWith("id: "));
      String data = listener.until("data: ");
      assertTrue(data.contains("\"outcome\":\"applied\""), data);
      assertTrue(data.contains("told"), data);
    }
  }

  @Test
  @DisplayName("who does not read holds up neither the loop nor others, and is told what it missed")
  void slowReader() throws Exception {
    try (Running running = start();
        Listener stuck = new Listener(running, true);
        Listener good = new Listener(running, false)) {
      stuck.until("retry:");
      good.until("retry:");
      EventRecord record = running.service().session().loop().history().last(1).get(0);
      EventStream stream = running.service().stream();
      // As many as it takes to fill all that lies between: that is the machine's affair.
      for (int rounds = 0; stream.missed() == 0; rounds++) {
        assertTrue(rounds < 20_000, "nothing was ever missed");
        for (int i = 0; i < BATCH; i++) {
          stream.onEnd(record);
        }
        for (int i = 0; i < BATCH; i++) {
          good.until("event: event"); // so this one has no more than a batch before it, ever
        }
      }
      push(running, "last");

      assertTrue(good.until("volume last").contains("applied"));
      String gap = stuck.until("missed");
      assertTrue(gap.matches("data: \\{\"missed\":[1-9][0-9]*}"), gap);
    }
  }

  @Test
  @DisplayName("more listeners than allowed are refused, and find room when others have left")
  void tooMany() throws Exception {
    try (Running running = start()) {
      List<Listener> listeners = new ArrayList<>();
      for (int i = 0; i < MOST; i++) {
        listeners.add(new Listener(running, false));
        assertTrue(listeners.get(i).head.contains("200"), listeners.get(i).head);
      }
      try (Listener refused = new Listener(running, false)) {
        assertTrue(refused.head.contains("503"), refused.head);
      }
      for (Listener listener : listeners) {
        listener.close();
      }
      await()
          .atMost(Duration.ofMillis(LIMIT_MILLIS))
          .until(
              () -> {
                running.service().stream()
                    .onState(
                        LoopState.RUNNING,
                        LoopState.RUNNING); // whoever has left is found out when it is written to
                try (Listener again = new Listener(running, false)) {
                  return again.head.contains("200");
                }
              });
    }
  }

  @Test
  @DisplayName("closing the controller ends the streams")
  void closed() throws Exception {
    Running running = start();
    try (Listener listener = new Listener(running, false)) {
      listener.until("retry:");
      running.close();
      String rest;
      do {
        rest = listener.lines.readLine();
      } while (rest != null);
      assertTrue(listener.head.contains("200"));
    } finally {
      running.close();
    }
  }
}
