/** A volume backend on the local file system. */
module dev.evenkeel.hostpath {
  requires transitive dev.evenkeel.api;
  requires static org.jspecify;

  exports dev.evenkeel.hostpath;
}
