package dev.evenkeel.store.etcd;

import dev.evenkeel.api.InvalidInputException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where an etcd is and how it is spoken to. Made by the program that opens an {@link EtcdDatastore}
 * or an {@link EtcdElection}; immutable; its text never shows the password.
 *
 * @param endpoints the members' client addresses, {@code http://host:port}, or all {@code https}
 * @param root begins the key of everything that is stored, such as {@code /evenkeel}; programs that
 *     share an etcd have different ones, none inside another
 * @param group whose leader's epoch guards the writes; loops that share a root and each have a
 *     leader of their own have different ones
 * @param user who logs in, with a password; absent where etcd asks nobody
 * @param tls certificates, for {@code https}; absent for the authorities that Java trusts
 * @param watchPatience how long a watch tries to go on without being answered, before it tells its
 *     observer that the store is away; 10 s unless said otherwise
 */
public record EtcdSettings(
    List<URI> endpoints,
    String root,
    String group,
    Optional<Login> user,
    Optional<Tls> tls,
    Duration watchPatience) {
  private static final int MOST_ENDPOINTS = 64;

  /** Refuses what cannot be used. */
  public EtcdSettings {
    endpoints = List.copyOf(endpoints);
    check(!endpoints.isEmpty() && endpoints.size() <= MOST_ENDPOINTS, "endpoints", "1 to 64");
    String scheme = String.valueOf(endpoints.get(0).getScheme());
    check(scheme.equals("http") || scheme.equals("https"), "endpoints", "http or https");
    for (URI endpoint : endpoints) {
      check(
          endpoint.getHost() != null && endpoint.getPort() > 0 && endpoint.getUserInfo() == null,
          "endpoints",
          "a scheme, a host and a port each, such as http://127.0.0.1:2379");
      check(scheme.equals(endpoint.getScheme()), "endpoints", "all http, or all https");
    }
    check(root.startsWith("/") && !root.endsWith("/"), "root", "a path, such as /evenkeel");
    check(!root.contains("#") && !root.contains(";"), "root", "without # and ;");
    check(!group.isEmpty() && !group.contains("/") && !group.contains("#"), "group", "a name");
    check(tls.isEmpty() || scheme.equals("https"), "tls", "endpoints with https");
    check(!watchPatience.isNegative() && !watchPatience.isZero(), "watchPatience", "positive");
  }

  /** Those endpoints, the root {@code /evenkeel}, nobody's password. */
  public static EtcdSettings of(String... endpoints) {
    List<URI> uris;
    try {
      uris = List.of(endpoints).stream().map(URI::create).toList();
    } catch (IllegalArgumentException odd) {
      throw InvalidInputException.of("etcd settings", "endpoints", "", "must be addresses");
    }
    return new EtcdSettings(
        uris, "/evenkeel", "leader", Optional.empty(), Optional.empty(), Duration.ofSeconds(10));
  }

  /** The same below another root. */
  public EtcdSettings root(String newRoot) {
    return new EtcdSettings(endpoints, newRoot, group, user, tls, watchPatience);
  }

  /** The same for another group of candidates. */
  public EtcdSettings group(String newGroup) {
    return new EtcdSettings(endpoints, root, newGroup, user, tls, watchPatience);
  }

  /** The same, logged in. */
  public EtcdSettings login(String name, Supplier<String> password) {
    return new EtcdSettings(
        endpoints, root, group, Optional.of(new Login(name, password)), tls, watchPatience);
  }

  /** The same with certificates. */
  public EtcdSettings tls(Tls certificates) {
    return new EtcdSettings(endpoints, root, group, user, Optional.of(certificates), watchPatience);
  }

  /** The same with another patience of watches. */
  public EtcdSettings watchPatience(Duration patience) {
    return new EtcdSettings(endpoints, root, group, user, tls, patience);
  }

  boolean secure() {
    return "https".equals(endpoints.get(0).getScheme());
  }

  private static void check(boolean holds, String field, String wanted) {
    if (!holds) {
      throw InvalidInputException.of("etcd settings", field, "", "must be " + wanted);
    }
  }

  /**
   * A user of etcd's own.
   *
   * @param password asked for at each login, on a thread of the store's; never shown, never kept
   */
  public record Login(String name, Supplier<String> password) {
    @Override
    public String toString() {
      return "Login[" + name + "]";
    }
  }

  /**
   * Files in PEM form; the key in PKCS#8, without a password.
   *
   * @param authority who signs the members' certificates
   * @param certificate own, where the members ask for one; with {@code key} or not at all
   */
  public record Tls(Path authority, Optional<Path> certificate, Optional<Path> key) {
    /** Refuses half a client certificate. */
    public Tls {
      check(certificate.isPresent() == key.isPresent(), "tls", "certificate and key, or neither");
    }

    /** Only the members show a certificate. */
    public static Tls trusting(Path authority) {
      return new Tls(authority, Optional.empty(), Optional.empty());
    }
  }
}
