package dev.evenkeel.api.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.InvalidInputException;
import java.util.List;
import java.util.Locale;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VolumeIdTest {
  private static final String UUID = "00000000-1111-2222-bbbb-cacacacacaca";
  private static final String EXAMPLE =
      "ffff-0024-01616094-9d93-4178-bf45-c7eac19e8b15-000000000000ffff-" + UUID;

  @Test
  @DisplayName("OP-27 an id goes to text and back, with a version other than 1 kept")
  void roundTrip() {
    VolumeId id = VolumeId.parse(EXAMPLE);
    assertEquals(0xffff, id.version());
    assertEquals("01616094-9d93-4178-bf45-c7eac19e8b15", id.cluster());
    assertEquals(0xffff, id.location());
    assertEquals(UUID, id.uuid());
    assertEquals(EXAMPLE, id.text());
    VolumeId widest = VolumeId.of("c".repeat(64), -1, UUID);
    assertEquals(128, widest.text().length());
    assertEquals(widest, VolumeId.parse(widest.text()));
  }

  @Test
  @DisplayName(
      "OP-27 too long, truncated, non-hex, over-long length field: the declared exception and no other")
  void malformed() {
    List<String> bad =
        List.of(
            "",
            "x",
            EXAMPLE + "0",
            EXAMPLE.substring(1),
            EXAMPLE.substring(0, 40),
            EXAMPLE.replace("0024", "ffff"),
            EXAMPLE.replace("0024", "0025"),
            EXAMPLE.replace("0024", "00zz"),
            EXAMPLE.replace("0024", "+024"),
            EXAMPLE.replace("000000000000ffff", "000000000000fffg"),
            EXAMPLE.replace("-0024-", "_0024-"),
            EXAMPLE.replace(UUID, UUID.replace('-', '_')),
            "0001-0000--000000000000ffff-" + UUID,
            "0001-0041-" + "c".repeat(65) + "-000000000000ffff-" + UUID,
            "0001-0003-a/b-000000000000ffff-" + UUID);
    for (String text : bad) {
      assertTrue(VolumeId.tryParse(text).isEmpty(), text);
      assertThrows(InvalidInputException.class, () -> VolumeId.parse(text), text);
    }
  }

  @Property(tries = 500)
  void parsingNeverThrowsAnythingElse(@ForAll String text) {
    VolumeId.tryParse(text)
        .ifPresent(
            id -> assertEquals(text.toLowerCase(Locale.ROOT), id.text().toLowerCase(Locale.ROOT)));
  }

  @Test
  @DisplayName(
      "names from outside: separators, dots, control characters, too long, empty are refused with the reason")
  void names() {
    for (String bad :
        List.of(
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "a\u0000",
            "a\n",
            "n".repeat(129),
            "n".repeat(10_000),
            "\ud800")) {
      InvalidInputException thrown =
          assertThrows(InvalidInputException.class, () -> CreateVolume.of(bad, 1));
      assertTrue(thrown.getMessage().length() < 300, "the text stays short");
      assertTrue(thrown.getMessage().chars().noneMatch(Character::isISOControl), "and printable");
    }
    assertEquals("n".repeat(128), VolumeNames.check("volume", "n".repeat(128)));
    assertEquals("…ä𝄞", VolumeNames.check("volume", "…ä𝄞"));
  }

  @Test
  @DisplayName("sizes: negative, and a limit below what is required, are refused")
  void sizes() {
    assertThrows(InvalidInputException.class, () -> CreateVolume.of("v", -1));
    assertThrows(InvalidInputException.class, () -> new SizeRange(2, 1));
    assertThrows(InvalidInputException.class, () -> new SizeRange(0, -1));
    assertTrue(new SizeRange(1, 2).fits(2));
    assertTrue(!new SizeRange(1, 2).fits(3));
    assertTrue(SizeRange.ANY.fits(0));
  }
}
