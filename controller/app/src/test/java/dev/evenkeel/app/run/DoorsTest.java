package dev.evenkeel.app.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.app.serve.ServeSettings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is let in, and on which addresses. */
class DoorsTest {
  private static final String TOKEN = "0123456789abcdef-not-guessed";
  private static final String PASSWORD = "keystore-password";

  @TempDir private Path folder;

  private static ServeSettings with(
      String host, Optional<String> token, Optional<Path> keystore, Optional<String> password) {
    return new ServeSettings(host, 0, token, keystore, password, 10);
  }

  @Test
  @DisplayName("an address that others can reach is refused without a token and TLS")
  void otherAddresses() {
    for (String host : List.of("0.0.0.0", "::", "192.0.2.1")) {
      InvalidInputException refused =
          assertThrows(
              InvalidInputException.class,
              () -> with(host, Optional.of(TOKEN), Optional.empty(), Optional.empty()));
      assertTrue(refused.faults().get(0).reason().contains("TLS"), refused::toString);
      assertFalse(refused.toString().contains(TOKEN));
      assertThrows(
          InvalidInputException.class,
          () -> with(host, Optional.empty(), Optional.of(Path.of("k")), Optional.of("password")));
    }
    InvalidInputException all =
        assertThrows(
            InvalidInputException.class,
            () ->
                new ServeSettings(
                    "0.0.0.0", -1, Optional.of("short"), Optional.empty(), Optional.empty(), 0));
    assertEquals(4, all.faults().size(), all::toString);
  }

  @Test
  @DisplayName("with a token everything but the page and the probes needs it")
  void token() throws Exception {
    try (Running running =
        Running.in(
            folder,
            with("127.0.0.1", Optional.of(TOKEN), Optional.empty(), Optional.empty()),
            List.of())) {
      String at = running.address();
      for (String open : List.of("/", "/livez", "/readyz", "/page.js")) {
        assertEquals(200, RawHttp.status(at, "GET " + open + " HTTP/1.1"), open);
      }
      for (String shut :
          List.of(
              "/metrics", "/api/v1/status", "/api/v1/events/stream", "/api/openapi.json", "/no")) {
        String line = "GET " + shut + " HTTP/1.1";
        assertEquals(401, RawHttp.status(at, line), shut);
        assertEquals(401, RawHttp.status(at, line, "Authorization: Bearer " + TOKEN + "x"), shut);
        assertEquals(401, RawHttp.status(at, line, "Authorization: Basic " + TOKEN), shut);
      }
      String answer = RawHttp.answer(at, "GET /api/v1/status HTTP/1.1");
      assertTrue(answer.contains("WWW-Authenticate: Bearer"), answer);
      assertEquals(
          200, RawHttp.status(at, "GET /metrics HTTP/1.1", "Authorization: Bearer " + TOKEN));
    }
  }

  @Test
  @DisplayName("other sites' pages, and other names for this machine, are kept out")
  void otherSites() throws Exception {
    try (Running running = Running.in(folder)) {
      String at = running.address();
      String get = "GET /api/v1/status HTTP/1.1";
      String post = "POST /api/v1/healing HTTP/1.1";
      String own = URI.create(at).getAuthority();
      assertEquals(200, RawHttp.status(at, get, "Host: localhost:" + URI.create(at).getPort()));
      assertEquals(403, RawHttp.status(at, get, "Host: evil.example"));
      assertEquals(403, RawHttp.status(at, get, "Host: 127.0.0.1.evil.example"));
      assertEquals(403, RawHttp.status(at, get, "Origin: https://evil.example"));
      assertEquals(403, RawHttp.status(at, get, "Origin: null"));
      assertEquals(200, RawHttp.status(at, get, "Origin: http://" + own));
      assertEquals(403, RawHttp.status(at, post, "Sec-Fetch-Site: cross-site"));
      assertEquals(
          202,
          RawHttp.status(
              at,
              post,
              "Sec-Fetch-Site: same-origin",
              "Origin: http://" + own,
              "Content-Length: 0"));
    }
  }

  @Test
  @DisplayName("it speaks TLS with a keystore; a wrong password is told without the password")
  void tls() throws Exception {
    Path keystore = keystore();
    try (Running running =
        Running.in(
            folder,
            with("127.0.0.1", Optional.of(TOKEN), Optional.of(keystore), Optional.of(PASSWORD)),
            List.of())) {
      assertTrue(running.address().startsWith("https://"), running::address);
      HttpClient client = HttpClient.newBuilder().sslContext(trusting(keystore)).build();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(running.address() + "/api/v1/status"))
              .header("Authorization", "Bearer " + TOKEN)
              .build();
      assertEquals(200, client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
    }
    EvenkeelException refused =
        assertThrows(
            EvenkeelException.class,
            () ->
                Running.in(
                        folder.resolve("other"),
                        with(
                            "127.0.0.1",
                            Optional.of(TOKEN),
                            Optional.of(keystore),
                            Optional.of("wrong-password")),
                        List.of())
                    .close());
    assertFalse(String.valueOf(refused.getMessage()).contains("wrong-password"));
  }

  @Test
  @DisplayName("a port that is taken is told, and the state directory can be used again")
  void takenPort() {
    try (Running first = Running.in(folder.resolve("first"))) {
      int port = URI.create(first.address()).getPort();
      EvenkeelException refused =
          assertThrows(
              EvenkeelException.class,
              () ->
                  Running.in(folder.resolve("second"), ServeSettings.local(port), List.of())
                      .close());
      assertTrue(String.valueOf(refused.getMessage()).contains("cannot listen"));
    }
    Running.in(folder.resolve("second")).close();
  }

  private Path keystore() throws Exception {
    Path file = folder.resolve("keys.p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keyalg",
            "EC",
            "-alias",
            "here",
            "-storetype",
            "PKCS12",
            "-keystore",
            file.toString(),
            "-storepass",
            PASSWORD,
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=IP:127.0.0.1,DNS:localhost",
            "-validity",
            "2");
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(keytool.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, keytool.exitValue(), said);
    return file;
  }

  private static SSLContext trusting(Path keystore) throws Exception {
    KeyStore keys = KeyStore.getInstance(keystore.toFile(), PASSWORD.toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("here", keys.getCertificate("here"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
