package dev.evenkeel.api.event;

/**
 * An event that is answered by building everything anew. The framework's own are {@link
 * DatastoreResync}, {@link ExternalResync}, {@link HealingResync} and {@link VerificationResync};
 * users may add theirs, with method {@link EventMethod#UPSTREAM_RESYNC} as a rule.
 */
public non-sealed interface ResyncEvent extends Event {
  /** Any method but {@link EventMethod#UPDATE}. */
  @Override
  EventMethod method();
}
