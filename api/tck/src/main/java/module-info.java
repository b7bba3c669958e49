/** Contract tests for datastores, backends and handlers. */
module dev.evenkeel.tck {
  requires transitive dev.evenkeel.api;
  requires transitive org.junit.jupiter.api;
  requires static org.jspecify;

  exports dev.evenkeel.tck;
  exports dev.evenkeel.tck.volume;
}
