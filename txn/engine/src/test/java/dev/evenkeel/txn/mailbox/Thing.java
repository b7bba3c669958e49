package dev.evenkeel.txn.mailbox;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/** A key of texts. */
record Thing(String name) implements Key<String> {
  static final KeyType<String> TYPE = KeyType.named("thing", "/t/", String.class, Thing::new);

  @Override
  public String path() {
    return KeyPaths.join("/t/", name);
  }

  @Override
  public KeyType<String> type() {
    return TYPE;
  }
}
