package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.datastore.Revision;
import java.time.Instant;
import java.util.Optional;

/**
 * What the journal says of a subject, and at which revisions. Immutable.
 *
 * @param open the intent that is open
 * @param openRevision its revision; {@link Revision#NONE} when there is none
 * @param done what was completed
 * @param doneRevision its revision; {@link Revision#NONE} when there is none
 * @param epoch ours, when this was read
 * @param unsettled until when an earlier leader's act may still take hold; absent when none can
 */
record JournalState(
    Optional<OpenRecord> open,
    Revision openRevision,
    Optional<DoneRecord> done,
    Revision doneRevision,
    Epoch epoch,
    Optional<Instant> unsettled) {
  /**
   * The intent that is really open: one that was completed, and whose removal a crash prevented, is
   * not (stores without atomic batches).
   */
  Optional<OpenRecord> interrupted() {
    return open.filter(
        intent -> done.filter(d -> d.transaction().equals(intent.transaction())).isEmpty());
  }
}
