package dev.evenkeel.api.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LockModeTest {
  private static final List<LockMode> ORDER =
      List.of(
          LockMode.CREATE,
          LockMode.DELETE,
          LockMode.CLONE_SOURCE,
          LockMode.SNAPSHOT_SOURCE,
          LockMode.RESTORE_SOURCE,
          LockMode.EXPAND,
          LockMode.STAGE,
          LockMode.UNSTAGE);

  /** One row for each mode: x never, o always, n in another scope only. */
  private static final List<String> MATRIX =
      List.of(
          "xxxxxxxx", // create
          "xxxxxxxx", // delete
          "xxooxxoo", // clone source
          "xxooxxoo", // snapshot source
          "xxxxoxxx", // restore source
          "xxxxxxnn", // expand
          "xxooxnnn", // stage
          "xxooxnnn"); // unstage

  @Test
  @DisplayName(
      "the lock matrix is the one of operations 2.4, and every pair that it does not call ok is refused (JT-19)")
  void matrix() {
    for (int row = 0; row < ORDER.size(); row++) {
      for (int column = 0; column < ORDER.size(); column++) {
        char cell = MATRIX.get(row).charAt(column);
        LockMode a = ORDER.get(row);
        LockMode b = ORDER.get(column);
        assertEquals(cell == 'o', a.compatibleWith(b, true), a + " beside " + b + " in one scope");
        assertEquals(cell != 'x', a.compatibleWith(b, false), a + " beside " + b + " elsewhere");
      }
    }
  }

  @Test
  @DisplayName("the matrix is symmetric, for users' own modes as well")
  void symmetric() {
    for (LockMode a : LockMode.values()) {
      for (LockMode b : LockMode.values()) {
        assertEquals(a.compatibleWith(b, true), b.compatibleWith(a, true), a + " and " + b);
        assertEquals(a.compatibleWith(b, false), b.compatibleWith(a, false), a + " and " + b);
      }
    }
  }

  @Test
  @DisplayName("OP-12 an empty id is never refused, and other ids never conflict")
  void emptyId() {
    LockKey nothing = LockKey.of("", LockMode.DELETE);
    assertTrue(nothing.compatibleWith(nothing));
    assertTrue(LockKey.of("a", LockMode.DELETE).compatibleWith(LockKey.of("b", LockMode.DELETE)));
  }
}
