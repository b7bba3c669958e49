/** The controller loop: one thread, typed events, ordered handlers, one transaction each. */
module dev.evenkeel.controller {
  requires transitive dev.evenkeel.api;
  requires dev.evenkeel.txn;
  requires dev.evenkeel.codec.jackson;
  requires com.lmax.disruptor;
  requires micrometer.core;
  requires org.slf4j;
  requires static org.jspecify;

  exports dev.evenkeel.controller;
}
