package dev.evenkeel.store.etcd;

import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How gRPC finds the {@link EndpointResolver}: by the scheme of a target that lists endpoints. */
final class EndpointProvider extends NameResolverProvider {
  private static final String SCHEME = "evenkeel-etcd";

  static {
    NameResolverRegistry.getDefaultRegistry().register(new EndpointProvider());
  }

  private EndpointProvider() {}

  /** The endpoints as one target of a channel. */
  static String target(List<URI> endpoints) {
    return endpoints.stream()
        .map(endpoint -> endpoint.getHost() + ":" + endpoint.getPort())
        .collect(Collectors.joining(";", SCHEME + ":///", ""));
  }

  @Override
  public @Nullable NameResolver newNameResolver(URI target, NameResolver.Args args) {
    if (!SCHEME.equals(target.getScheme())) {
      return null;
    }
    List<URI> endpoints =
        Stream.of(target.getPath().substring(1).split(";", -1))
            .map(address -> URI.create("etcd://" + address))
            .toList();
    return new EndpointResolver(endpoints, args.getOffloadExecutor());
  }

  @Override
  public String getDefaultScheme() {
    return SCHEME;
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  /** Low: it must never be the one that is asked for targets of others. */
  @Override
  protected int priority() {
    return 0;
  }
}
