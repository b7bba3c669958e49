/** The embedded datastore, on RocksDB. */
module dev.evenkeel.store.local {
  requires transitive dev.evenkeel.api;
  requires dev.evenkeel.codec.jackson;
  requires org.slf4j;
  requires rocksdbjni;
  requires static org.jspecify;

  exports dev.evenkeel.store.local;
}
