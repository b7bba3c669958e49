/**
 * Evenkeel's contracts: what handler, driver and controller authors see and implement. No logger,
 * no JSON, no engine.
 */
module dev.evenkeel.api {
  requires static transitive org.jspecify;

  exports dev.evenkeel.api;
  exports dev.evenkeel.api.datastore;
  exports dev.evenkeel.api.election;
  exports dev.evenkeel.api.event;
  exports dev.evenkeel.api.handler;
  exports dev.evenkeel.api.loop;
  exports dev.evenkeel.api.txn;
  exports dev.evenkeel.api.volume;

  uses dev.evenkeel.api.datastore.SyncerProvider;
}
