package dev.evenkeel.txn.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.event.LockKey;
import dev.evenkeel.api.event.LockMode;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The lock table")
class LockTableTest {
  private final LockTable table = new LockTable();

  private LockTable.Lease lease(String holder) {
    return table.lease(() -> holder);
  }

  private boolean takes(LockTable.Lease lease, LockKey... keys) {
    return table.take(lease, List.of(keys)).isEmpty();
  }

  private static LockKey key(String id, LockMode mode) {
    return LockKey.of(id, mode);
  }

  private static LockKey stage(String id, String scope) {
    return new LockKey(id, LockMode.STAGE, scope);
  }

  @Test
  @DisplayName("OP-01 a name that is being created is refused, and free afterwards")
  void create() {
    LockTable.Lease first = lease("create n");
    LockTable.Lease second = lease("create n again");
    assertTrue(takes(first, key("volume/n", LockMode.CREATE)));
    LockTable.Conflict conflict =
        table.take(second, List.of(key("volume/n", LockMode.CREATE))).orElseThrow();
    assertEquals("volume/n is held in mode CREATE by create n", conflict.text());
    table.release(first);
    assertTrue(takes(second, key("volume/n", LockMode.CREATE)));
  }

  @Test
  @DisplayName("OP-05 a snapshot is not deleted while two restores, then one, run")
  void restores() {
    LockKey source = key("snapshot/s", LockMode.RESTORE_SOURCE);
    LockTable.Lease one = lease("restore 1");
    LockTable.Lease two = lease("restore 2");
    LockTable.Lease delete = lease("delete");
    assertTrue(takes(one, source));
    assertTrue(takes(two, source));
    assertFalse(takes(delete, key("snapshot/s", LockMode.DELETE)));
    table.release(one);
    assertFalse(takes(delete, key("snapshot/s", LockMode.DELETE)));
    table.release(two);
    assertTrue(takes(delete, key("snapshot/s", LockMode.DELETE)));
  }

  @Test
  @DisplayName("OP-03 OP-06 expand beside clone and snapshot is refused, in both orders")
  void symmetric() {
    for (LockMode mode : List.of(LockMode.CLONE_SOURCE, LockMode.SNAPSHOT_SOURCE)) {
      LockTable.Lease source = lease("source");
      LockTable.Lease expand = lease("expand");
      assertTrue(takes(source, key("volume/v", mode)));
      assertFalse(takes(expand, key("volume/v", LockMode.EXPAND)));
      table.release(source);
      assertTrue(takes(expand, key("volume/v", LockMode.EXPAND)));
      assertFalse(takes(lease("again"), key("volume/v", mode)));
      table.release(expand);
    }
  }

  @Test
  @DisplayName("JT-19 decides as the matrix does, for every pair of modes")
  void matrix() {
    for (LockMode held : LockMode.values()) {
      for (LockMode wanted : LockMode.values()) {
        LockTable.Lease holder = lease("holder");
        assertTrue(takes(holder, new LockKey("x", held, "node")));
        LockTable.Lease other = lease("other");
        boolean taken = takes(other, new LockKey("x", wanted, "node"));
        assertEquals(wanted.compatibleWith(held, true), taken, held + " " + wanted);
        table.release(holder);
        table.release(other);
        assertFalse(table.isHeld("x"));
      }
    }
  }

  @Test
  @DisplayName("OP-08 an extra or stale release frees nobody else's lock")
  void staleRelease() {
    LockTable.Lease first = lease("first");
    assertTrue(takes(first, key("volume/v", LockMode.DELETE)));
    table.release(first);
    table.release(first);
    LockTable.Lease second = lease("second");
    assertTrue(takes(second, key("volume/v", LockMode.DELETE)));
    table.release(first);
    assertFalse(takes(lease("third"), key("volume/v", LockMode.DELETE)));
    assertThrows(IllegalStateException.class, () -> takes(first, key("volume/w", LockMode.DELETE)));
  }

  @Test
  @DisplayName("JT-19 a group takes the locks of all members or none")
  void group() {
    LockTable.Lease holder = lease("holder");
    assertTrue(takes(holder, key("volume/b", LockMode.DELETE)));
    LockTable.Lease group = lease("group");
    assertFalse(
        takes(
            group,
            key("volume/a", LockMode.SNAPSHOT_SOURCE),
            key("volume/b", LockMode.SNAPSHOT_SOURCE),
            key("volume/c", LockMode.SNAPSHOT_SOURCE)));
    assertFalse(table.isHeld("volume/a"));
    assertFalse(table.isHeld("volume/c"));
    assertEquals(List.of(), group.keys());
  }

  @Test
  @DisplayName("one lease never conflicts with itself, and takes a key once")
  void itself() {
    LockTable.Lease lease = lease("one");
    assertTrue(takes(lease, key("volume/v", LockMode.DELETE)));
    assertTrue(takes(lease, key("volume/v", LockMode.DELETE), key("volume/v", LockMode.EXCLUSIVE)));
    assertEquals(2, lease.keys().size());
    table.release(lease);
    assertFalse(table.isHeld("volume/v"));
  }

  @Test
  @DisplayName("OP-11 mounts for two targets run side by side; an attach of the volume does not")
  void scopes() {
    assertTrue(takes(lease("pod A"), stage("volume/v", "podA")));
    assertTrue(takes(lease("pod B"), stage("volume/v", "podB")));
    assertFalse(takes(lease("pod A again"), stage("volume/v", "podA")));
    assertFalse(takes(lease("attach"), key("volume/v", LockMode.EXCLUSIVE)));
    assertTrue(takes(lease("node 1"), stage("volume/w", "node1")));
    assertTrue(takes(lease("node 2"), stage("volume/w", "node2")));
  }

  @Test
  @DisplayName("OP-12 an empty id is never refused")
  void emptyId() {
    assertTrue(takes(lease("one"), key("", LockMode.EXCLUSIVE)));
    assertTrue(takes(lease("two"), key("", LockMode.EXCLUSIVE)));
  }
}
