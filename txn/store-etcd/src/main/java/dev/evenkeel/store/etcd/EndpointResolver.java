package dev.evenkeel.store.etcd;

import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of all endpoints, for gRPC: it keeps a connection to each and takes turns. Names
 * are looked up again whenever gRPC has lost a connection.
 */
final class EndpointResolver extends NameResolver {
  private final List<URI> endpoints;
  private final Executor executor;
  private volatile @Nullable Listener2 listener;

  EndpointResolver(List<URI> endpoints, Executor executor) {
    this.endpoints = endpoints;
    this.executor = executor;
  }

  @Override
  public String getServiceAuthority() {
    return authority(endpoints.get(0));
  }

  @Override
  public void start(Listener2 newListener) {
    listener = newListener;
    refresh();
  }

  @Override
  public void refresh() {
    executor.execute(this::look);
  }

  @Override
  public void shutdown() {
    listener = null;
  }

  private void look() {
    Listener2 told = listener;
    if (told == null) {
      return;
    }
    List<EquivalentAddressGroup> found = new ArrayList<>();
    String unknown = "";
    for (URI endpoint : endpoints) {
      try {
        found.add(addresses(endpoint));
      } catch (UnknownHostException odd) {
        unknown = endpoint.getHost();
      }
    }
    if (found.isEmpty()) {
      told.onError(Status.UNAVAILABLE.withDescription("no address is known of " + unknown));
    } else {
      told.onResult(
          ResolutionResult.newBuilder().setAddressesOrError(StatusOr.fromValue(found)).build());
    }
  }

  private static EquivalentAddressGroup addresses(URI endpoint) throws UnknownHostException {
    List<SocketAddress> all = new ArrayList<>();
    String host = endpoint.getHost().replace("[", "").replace("]", "");
    for (InetAddress address : InetAddress.getAllByName(host)) {
      all.add(new InetSocketAddress(address, endpoint.getPort()));
    }
    // A certificate is checked against the name of the member that shows it.
    return new EquivalentAddressGroup(
        all,
        Attributes.newBuilder()
            .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, authority(endpoint))
            .build());
  }

  private static String authority(URI endpoint) {
    return endpoint.getHost() + ":" + endpoint.getPort();
  }
}
