package dev.evenkeel.bench.store;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;

/** A key with a text: what the stores are measured with. */
public record Stored(int number) implements Key<String> {
  static final KeyType<String> TYPE =
      KeyType.named("stored", "/stored/", String.class, name -> new Stored(Integer.parseInt(name)));

  @Override
  public String path() {
    return "/stored/" + number;
  }

  @Override
  public KeyType<String> type() {
    return TYPE;
  }
}
