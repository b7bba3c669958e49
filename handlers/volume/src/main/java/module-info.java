/** The stock volume handlers. */
module dev.evenkeel.handlers.volume {
  requires transitive dev.evenkeel.api;
  requires static org.jspecify;

  exports dev.evenkeel.handlers.volume;
}
