/** Contract tests for datastores, backends and handlers. */
module dev.evenkeel.tck {
  requires transitive dev.evenkeel.api;
  requires transitive org.junit.jupiter.api;
  requires static org.jspecify;

  exports dev.evenkeel.tck.datastore;
  exports dev.evenkeel.tck.volume;

  // The test engine calls the tests, and codecs read the records, by reflection.
  opens dev.evenkeel.tck.datastore;
  opens dev.evenkeel.tck.volume;
}
