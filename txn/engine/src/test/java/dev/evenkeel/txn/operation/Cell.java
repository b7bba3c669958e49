package dev.evenkeel.txn.operation;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/** A stored record for tests. */
record Cell(String text) {
  /** Its key. */
  record At(String name) implements Key<Cell> {
    static final KeyType<Cell> TYPE = KeyType.named("cell", "/cells/", Cell.class, At::new);

    @Override
    public String path() {
      return KeyPaths.join(TYPE.prefix(), name);
    }

    @Override
    public KeyType<Cell> type() {
      return TYPE;
    }
  }
}
