package dev.evenkeel.tck.datastore;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;

/**
 * A plain key of the contract. Made by the contract tests; pure, any thread.
 *
 * @param name of the item
 */
public record ItemKey(String name) implements Key<Item> {
  /** The kind of these keys. */
  public static final KeyType<Item> TYPE =
      KeyType.named("tck-item", "/evenkeel/tck/items/", Item.class, ItemKey::new);

  @Override
  public String path() {
    return KeyPaths.join(TYPE.prefix(), name);
  }

  @Override
  public KeyType<Item> type() {
    return TYPE;
  }
}
