/** The controller loop: one thread, typed events, ordered handlers, one transaction each. */
module dev.evenkeel.controller {
  requires transitive dev.evenkeel.api;
  requires transitive dev.evenkeel.txn;
  requires transitive dev.evenkeel.codec.jackson;
  requires com.lmax.disruptor;
  requires jdk.jfr;
  requires micrometer.core;
  requires org.slf4j;
  requires static org.jspecify;

  exports dev.evenkeel.controller;
  exports dev.evenkeel.controller.config;
  exports dev.evenkeel.controller.core;
  exports dev.evenkeel.controller.manual;
  exports dev.evenkeel.controller.metrics;
  exports dev.evenkeel.controller.recording;
  exports dev.evenkeel.controller.source;

  uses dev.evenkeel.api.handler.HandlerProvider;
}
