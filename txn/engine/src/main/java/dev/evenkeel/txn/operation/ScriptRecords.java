package dev.evenkeel.txn.operation;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.RecordPhase;
import dev.evenkeel.api.txn.Results;
import dev.evenkeel.txn.Action;
import dev.evenkeel.txn.TxnEntry;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The stored records of a script, and the journal's actions that write them. */
final class ScriptRecords {
  private final String subject;
  private final List<TxnEntry.Records> entries;
  private final Results results;

  ScriptRecords(String subject, List<TxnEntry.Records> entries, Results results) {
    this.subject = subject;
    this.entries = List.copyOf(entries);
    this.results = results;
  }

  boolean has(RecordPhase phase) {
    return entries.stream().anyMatch(entry -> entry.phase() == phase);
  }

  /** An action that collects the records of a phase and hands them to the journal. */
  CallAction write(RecordPhase phase, String stage, Function<Batch, Object> write) {
    return action(stage, context -> write.apply(collect(phase)));
  }

  private CallAction action(String stage, CallAction.Body body) {
    return new CallAction(
        Action.Kind.JOURNAL, subject, CallAction.JOURNAL, stage, Optional.empty(), body);
  }

  /** An action of the journal's own, without records. */
  CallAction nothing(String stage, Function<Batch, Object> write) {
    return action(stage, context -> write.apply(new Batch()));
  }

  private Batch collect(RecordPhase phase) {
    Batch batch = new Batch();
    for (TxnEntry.Records entry : entries) {
      if (entry.phase() == phase) {
        try {
          entry.source().write(results, batch);
        } catch (Exception thrown) {
          throw new SourceException(entry.owner(), phase, thrown);
        }
      }
    }
    return batch;
  }

  /** What a failed journal action means. */
  static Failure failure(String stage, Throwable thrown) {
    if (thrown instanceof SourceException source && source.getCause() != null) {
      return Failure.of(source.owner, "records " + source.phase, source.getCause());
    }
    return Failure.of(CallAction.JOURNAL, stage, thrown);
  }

  /**
   * Whether a failed journal action has certainly written nothing, and would fail again: the
   * records themselves are wrong.
   */
  static boolean isRecordsFault(Throwable thrown) {
    return thrown instanceof SourceException
        || thrown instanceof InvalidInputException
        || thrown instanceof JournalWriter.TakenException;
  }

  /** A handler's source of records has failed. */
  private static final class SourceException extends EvenkeelException {
    private static final long serialVersionUID = 1L;
    private final String owner;
    private final RecordPhase phase;

    SourceException(String owner, RecordPhase phase, Exception cause) {
      super(ErrorKind.INTERNAL, "records of " + owner + " failed", cause);
      this.owner = owner;
      this.phase = phase;
    }
  }
}
