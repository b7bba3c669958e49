package dev.evenkeel.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Banners in the log")
final class BannersTest {
  private final List<String> boxes = Collections.synchronizedList(new ArrayList<>());

  private Rig rig(Rig.Mode mode) {
    return new Rig(mode, config -> config, builder -> builder.banners(Banners.to(boxes::add)))
        .resync();
  }

  /** A box's text without its frame, times left out. */
  private static List<String> lines(String box) {
    return box.lines()
        .filter(line -> line.startsWith("|"))
        .map(line -> line.substring(2, line.length() - 2).stripTrailing())
        .map(line -> line.replaceAll(" \\d+\\.\\d+ ms", " T"))
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "open with name, number, parent, description and handlers, and close with what came of it")
  void opensAndCloses(Rig.Mode mode) {
    try (Rig rig = rig(mode)) {
      boxes.clear();
      rig.a.onUpdate =
          (event, turn) -> {
            if (event.describe().equals("parent")) {
              turn.followUp(Ev.of("child"));
              return "does it";
            }
            return "";
          };
      rig.does(Ev.of("parent"));
      assertEquals(4, boxes.size());
      assertEquals(
          List.of("#1 ev (e3): begins", "parent", "handlers: a > b > c"), lines(boxes.get(0)));
      assertEquals(
          List.of("#1 ev (e3): applied after T", "handled by: a T, b T, c T", "  a: does it"),
          lines(boxes.get(1)));
      assertEquals("#2 ev (e2, follows up #1): begins", lines(boxes.get(2)).get(0));
      assertEquals("child", lines(boxes.get(2)).get(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("tell errors by handler, those in revert, and who reverted")
  void reverts(Rig.Mode mode) {
    try (Rig rig = rig(mode)) {
      boxes.clear();
      rig.c.onUpdate =
          (event, turn) -> {
            throw new IllegalStateException("boom");
          };
      rig.b.onRevert =
          (event, turn) -> {
            throw new IllegalStateException("stuck");
          };
      rig.does(Ev.reverting("back"));
      assertEquals(
          List.of(
              "#1 ev (e3): reverted incompletely after T",
              "handled by: a T, b T",
              "error: c update: INTERNAL IllegalStateException: boom",
              "error in revert: b revert: INTERNAL IllegalStateException: stuck",
              "reverted: a T"),
          lines(boxes.get(1)));
    }
  }

  @Test
  @DisplayName("tell the transaction's error, once")
  void transaction() {
    try (Rig rig = rig(Rig.Mode.MANUAL)) {
      boxes.clear();
      rig.outside.failing.add("x");
      rig.a.onUpdate =
          (event, turn) -> {
            turn.txn().put(new K("x"), "1");
            return "";
          };
      rig.does(Ev.reverting("put"));
      List<String> lines = lines(boxes.get(1));
      assertTrue(lines.stream().anyMatch(l -> l.matches("transaction \\d+: reverted")), "" + lines);
      assertEquals(1, lines.stream().filter(l -> l.contains("error: ")).count(), "" + lines);
    }
  }

  @Test
  @DisplayName("wrap, are cut off at their limit, and let no text forge a line")
  void bounded() {
    Box box = new Box(2_000);
    box.line(0, "one\ntwo " + "word ".repeat(30) + "\u001b[31m\u202e\r\n" + "x".repeat(250));
    List<String> lines = lines(box.text());
    assertEquals("one", lines.get(0));
    assertTrue(lines.get(1).startsWith("  two word"), lines.get(1));
    assertTrue(lines.stream().allMatch(line -> line.length() <= 110), "" + lines);
    assertTrue(box.text().contains("?[31m??") && box.text().indexOf('\u001b') < 0);
    assertTrue(box.text().lines().skip(1).allMatch(line -> line.length() == 130));
    for (int i = 0; i < 10_000; i++) {
      box.line(0, "more");
    }
    assertTrue(box.text().length() <= 2_000, "" + box.text().length());
    assertTrue(lines(box.text()).get(lines(box.text()).size() - 1).contains("cut off"));
    assertThrows(IllegalArgumentException.class, () -> Banners.atInfo().mostCharacters(10));
  }
}
