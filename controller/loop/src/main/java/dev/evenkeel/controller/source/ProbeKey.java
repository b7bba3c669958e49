package dev.evenkeel.controller.source;

import dev.evenkeel.api.Fields;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/** The key that a probe reads; nobody writes it. */
record ProbeKey(String name) implements Key<Fields> {
  private static final String PREFIX = "/evenkeel-probe/";
  private static final KeyType<Fields> TYPE =
      KeyType.named("probe", PREFIX, Fields.class, ProbeKey::new);

  @Override
  public String path() {
    return KeyPaths.join(PREFIX, name);
  }

  @Override
  public KeyType<Fields> type() {
    return TYPE;
  }
}
