package dev.evenkeel.store.etcd;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.tck.datastore.Item;
import dev.evenkeel.tck.datastore.ItemKey;
import io.etcd.jetcd.api.AuthEnableRequest;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthUserAddRequest;
import io.etcd.jetcd.api.AuthUserGrantRoleRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An etcd that asks who it speaks with")
@Timeout(300)
class EtcdSecurityTest {
  @TempDir Path folder;

  private static final KeyValue<Item> A = KeyValue.of(new ItemKey("a"), new Item("", 1));

  @Test
  @DisplayName("takes the right password, and refuses a wrong one and none, each by type")
  void password() {
    try (Etcd etcd = Etcd.start(1)) {
      EtcdSettings settings = etcd.settings();
      try (EtcdDatastore admin = Etcd.open(settings)) {
        enable(admin.connection());
      }
      String password = "very-secret";
      EtcdSettings known = settings.login("root", () -> password);
      assertFalse(known.toString().contains(password));
      try (EtcdDatastore store = Etcd.open(known)) {
        assertTrue(store.blocking().create(A, Call.usual()).value().isPresent());
        store.connection().forgetToken();
        assertTrue(store.blocking().find(A.key(), Call.usual()).isPresent());
      }
      for (EtcdSettings wrong : List.of(settings, settings.login("root", () -> "guess-1234"))) {
        try (EtcdDatastore store = Etcd.open(wrong)) {
          var refused =
              assertThrows(
                  DatastoreException.Unauthorized.class,
                  () -> store.blocking().apply(A, Call.usual()));
          assertFalse(refused.toString().contains("guess-1234"));
        }
      }
    }
  }

  private static void enable(Connection connection) {
    Limit limit = Limit.of("auth", Call.usual());
    var user =
        AuthUserAddRequest.newBuilder()
            .setName("root")
            .setPasswordBytes(ByteString.copyFromUtf8("very-secret"))
            .build();
    var grant = AuthUserGrantRoleRequest.newBuilder().setUser("root").setRole("root").build();
    var unused = connection.ask(AuthGrpc.getUserAddMethod(), user, limit).join();
    var unused2 = connection.ask(AuthGrpc.getUserGrantRoleMethod(), grant, limit).join();
    var unused3 =
        connection
            .ask(AuthGrpc.getAuthEnableMethod(), AuthEnableRequest.getDefaultInstance(), limit)
            .join();
  }

  @Test
  @DisplayName("shows a certificate: one that is trusted is taken, another is refused by type")
  void certificates() throws Exception {
    Path server = certificate("server");
    Path another = certificate("another");
    List<String> options =
        List.of(
            "--cert-file",
            server.toString(),
            "--key-file",
            folder.resolve("server.key").toString(),
            "--client-cert-auth",
            "--trusted-ca-file",
            server.toString());
    try (Etcd etcd = Etcd.start("https", 1, options)) {
      EtcdSettings settings = etcd.settings();
      EtcdSettings.Tls right =
          new EtcdSettings.Tls(
              server, Optional.of(server), Optional.of(folder.resolve("server.key")));
      try (EtcdDatastore store = Etcd.open(settings.tls(right))) {
        await()
            .atMost(Etcd.PATIENCE)
            .ignoreExceptionsInstanceOf(EvenkeelException.class)
            .until(() -> store.blocking().apply(A, Call.usual()).value().isPresent());
      }
      for (EtcdSettings wrong :
          List.of(settings.tls(EtcdSettings.Tls.trusting(another)), settings)) {
        try (EtcdDatastore store = Etcd.open(wrong)) {
          assertThrows(
              DatastoreException.Unauthorized.class,
              () -> store.blocking().get(A.key(), Call.usual()));
        }
      }
      EtcdSettings plain =
          EtcdSettings.of(
              URI.create(etcd.member(0).endpoint().replace("https", "http")).toString());
      try (EtcdDatastore store = Etcd.open(plain)) {
        var refused =
            assertThrows(
                DatastoreException.class, () -> store.blocking().get(A.key(), Call.usual()));
        assertEquals(dev.evenkeel.api.ErrorKind.UNAVAILABLE, refused.kind());
      }
      assertThrows(
          EvenkeelException.class,
          () -> Etcd.open(settings.tls(EtcdSettings.Tls.trusting(folder.resolve("none")))).close());
    }
  }

  /** A certificate for the loopback address that vouches for itself, and its key, as PEM files. */
  private Path certificate(String name) throws Exception {
    Path store = folder.resolve(name + ".p12");
    run(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-alias",
            name,
            "-dname",
            "CN=" + name,
            "-ext",
            "SAN=IP:127.0.0.1",
            "-ext",
            "BC=ca:true",
            "-validity",
            "3650",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            "changeit"));
    KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
    pem(
        folder.resolve(name + ".key"),
        "PRIVATE KEY",
        keys.getKey(name, "changeit".toCharArray()).getEncoded());
    Path file = folder.resolve(name + ".pem");
    pem(file, "CERTIFICATE", keys.getCertificate(name).getEncoded());
    return file;
  }

  private static void pem(Path file, String what, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  private static void run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), said);
  }
}
