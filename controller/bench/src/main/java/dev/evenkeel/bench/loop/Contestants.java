package dev.evenkeel.bench.loop;

/** The contestants by name. */
final class Contestants {
  static final String BARE = "bare ring";
  static final String PLAIN = "evenkeel off";
  static final String ALL = "evenkeel on";
  static final String EXECUTOR = "single-thread executor";
  static final String QUEUE = "kubernetes-client work queue";

  private Contestants() {}

  static Contestant of(String name) {
    return switch (name) {
      case BARE -> new BareRing();
      case PLAIN -> Evenkeel.with(Evenkeel.withoutHistory(), Evenkeel.putting(Puts.HANDLERS));
      case ALL -> Evenkeel.with(Evenkeel.numbers(), Evenkeel.putting(Puts.HANDLERS));
      case EXECUTOR -> new SingleThread();
      case QUEUE -> new KubernetesQueue();
      default -> throw new IllegalArgumentException(name);
    };
  }
}
