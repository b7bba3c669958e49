/** JSON codecs for stored values, events and recordings. */
module dev.evenkeel.codec.jackson {
  requires transitive dev.evenkeel.api;
  requires tools.jackson.core;
  requires static tools.jackson.dataformat.yaml;
  requires static org.jspecify;

  exports dev.evenkeel.codec.jackson;
}
