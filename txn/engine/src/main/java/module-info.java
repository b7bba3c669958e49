/** The transaction engine, as a core without I/O, and its drivers. */
module dev.evenkeel.txn {
  requires transitive dev.evenkeel.api;
  requires org.slf4j;
  requires static org.jspecify;

  exports dev.evenkeel.txn;
  exports dev.evenkeel.txn.engine;
  exports dev.evenkeel.txn.history;
  exports dev.evenkeel.txn.mailbox;
  exports dev.evenkeel.txn.operation;
}
