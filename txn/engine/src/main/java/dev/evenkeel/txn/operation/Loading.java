package dev.evenkeel.txn.operation;

import dev.evenkeel.api.event.UpdateEvent;
import dev.evenkeel.api.handler.OperationLoader;
import dev.evenkeel.txn.Action;
import java.util.List;
import java.util.Optional;

/** The worker's visit between ADMIT and PLAN. */
final class Loading {
  private Loading() {}

  /** Loaders first: one of them may say which subject is really meant. */
  static Action of(
      Operation operation, UpdateEvent event, Journal journal, List<OperationLoader> loaders) {
    List<OperationLoader> all = List.copyOf(loaders);
    return new CallAction(
        Action.Kind.LOAD,
        operation.subject(),
        CallAction.JOURNAL,
        "load",
        Optional.empty(),
        context -> load(event, operation.subject(), journal, all));
  }

  private static Loaded load(
      UpdateEvent event, String subject, Journal journal, List<OperationLoader> loaders)
      throws Exception {
    LoadReader reader = journal.reader(subject);
    for (OperationLoader loader : loaders) {
      loader.load(event, reader);
    }
    JournalState state = journal.read(reader.subject());
    Optional<UpdateEvent> interrupted =
        state
            .interrupted()
            .filter(open -> open.version() <= OpenRecord.VERSION)
            .flatMap(journal::event);
    return new Loaded(reader.subject(), state, interrupted, reader.values());
  }
}
