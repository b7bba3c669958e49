package dev.evenkeel.tck.datastore;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyPaths;
import dev.evenkeel.api.KeyType;
import java.util.List;
import java.util.Optional;

/**
 * A key with a parent, or the parent itself: a group and its members. A group's own path is beside
 * its members', and its delete path above both. Made by the contract tests; pure, any thread.
 *
 * @param group name of the group
 * @param member name of the member; absent for the group itself
 */
public record NodeKey(String group, Optional<String> member) implements Key<Item> {
  /** The kind of these keys. */
  public static final KeyType<Item> TYPE =
      KeyType.of("tck-node", "/evenkeel/tck/nodes/", Item.class, NodeKey::parse);

  // No name is ever escaped to this.
  private static final String SELF = "/@";

  /** A member. */
  public static NodeKey of(String group, String member) {
    return new NodeKey(group, Optional.of(member));
  }

  /** The group itself. */
  public static NodeKey group(String group) {
    return new NodeKey(group, Optional.empty());
  }

  @Override
  public String path() {
    return member
        .map(name -> KeyPaths.join(TYPE.prefix(), group, name))
        .orElseGet(() -> KeyPaths.join(TYPE.prefix(), group) + SELF);
  }

  @Override
  public String deletePath() {
    return member.isPresent() ? path() : KeyPaths.join(TYPE.prefix(), group);
  }

  @Override
  public List<Key<?>> parents() {
    return member.isPresent() ? List.of(group(group)) : List.of();
  }

  @Override
  public KeyType<Item> type() {
    return TYPE;
  }

  private static Optional<Key<Item>> parse(String path) {
    String[] names = path.substring(TYPE.prefix().length()).split("/", -1);
    if (names.length != 2) {
      return Optional.empty();
    }
    Optional<String> group = KeyPaths.unescape(names[0]).filter(name -> !name.isEmpty());
    if (names[1].equals(SELF.substring(1))) {
      return group.map(NodeKey::group);
    }
    Optional<String> member = KeyPaths.unescape(names[1]).filter(name -> !name.isEmpty());
    return group.flatMap(g -> member.map(m -> of(g, m)));
  }
}
