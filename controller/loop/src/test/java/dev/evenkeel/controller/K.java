package dev.evenkeel.controller;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/** A key of texts. */
record K(String name) implements Key<String> {
  static final KeyType<String> TYPE = KeyType.named("k", "/k/", String.class, K::new);

  @Override
  public String path() {
    return KeyPaths.join("/k/", name);
  }

  @Override
  public KeyType<String> type() {
    return TYPE;
  }
}
