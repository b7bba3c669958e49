/** What the tests of controllers and drivers stand on. */
module dev.evenkeel.testkit {
  requires transitive dev.evenkeel.api;
  requires transitive dev.evenkeel.tck;
  requires transitive dev.evenkeel.controller;
  requires dev.evenkeel.txn;
  requires dev.evenkeel.datastore;
  requires org.objectweb.asm;
  requires org.objectweb.asm.tree;
  requires org.objectweb.asm.tree.analysis;
  requires transitive org.junit.jupiter.api;
  requires static org.jspecify;

  exports dev.evenkeel.testkit;
  exports dev.evenkeel.testkit.determinism;
  exports dev.evenkeel.testkit.volume;
}
