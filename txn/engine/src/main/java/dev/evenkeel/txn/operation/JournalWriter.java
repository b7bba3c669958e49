package dev.evenkeel.txn.operation;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Write;
import java.util.List;
import java.util.Optional;

/** How a batch of the journal reaches a store; blocks, on workers. */
interface JournalWriter {
  /**
   * Writes an intent with its records, if the journal is still as seen. A record to be created must
   * be absent or equal, else {@link ErrorKind#BUSY} and nothing is written.
   *
   * @param intent absent when the stored one stays as it is
   * @return the intent's revision from now on
   */
  Revision begin(
      OpenKey key, Optional<OpenRecord> intent, JournalState seen, List<Batch.Want> records);

  /** Writes records, then the journal's own changes, if the intent still has its revision. */
  void change(Journal.Begun begun, List<Batch.Want> records, List<Write> own);

  /** A record of somebody else's is in the way. */
  final class TakenException extends EvenkeelException {
    private static final long serialVersionUID = 1L;

    TakenException(Key<?> key) {
      super(ErrorKind.BUSY, key.path() + " belongs to somebody else: nothing was written");
    }
  }
}
