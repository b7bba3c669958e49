package dev.evenkeel.controller.source;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/** A key of texts. */
record T(String name) implements Key<String> {
  static final KeyType<String> TYPE = KeyType.named("t", "/t/", String.class, T::new);

  @Override
  public String path() {
    return KeyPaths.join("/t/", name);
  }

  @Override
  public KeyType<String> type() {
    return TYPE;
  }
}
