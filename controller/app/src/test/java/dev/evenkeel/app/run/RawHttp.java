package dev.evenkeel.app.run;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Requests as no well-behaved client sends them. */
final class RawHttp {
  private RawHttp() {}

  /** The status of the answer to a request with that first line and those headers. */
  static int status(String address, String line, String... headers) throws IOException {
    String head = answer(address, line, headers);
    return Integer.parseInt(head.split(" ", 3)[1]);
  }

  /** The whole answer. */
  static String answer(String address, String line, String... headers) throws IOException {
    URI uri = URI.create(address);
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket.setSoTimeout(30_000);
      StringBuilder request = new StringBuilder(line).append("\r\nConnection: close\r\n");
      boolean host = false;
      for (String header : headers) {
        request.append(header).append("\r\n");
        host |= header.startsWith("Host:");
      }
      if (!host) {
        request.append("Host: ").append(uri.getAuthority()).append("\r\n");
      }
      request.append("\r\n");
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
