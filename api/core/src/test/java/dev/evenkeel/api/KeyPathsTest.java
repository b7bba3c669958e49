package dev.evenkeel.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.datastore.ListOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KeyPathsTest {
  record Thing(String name) implements Key<String> {
    static final KeyType<String> TYPE =
        KeyType.named("thing", "/things/", String.class, Thing::new);

    @Override
    public String path() {
      return KeyPaths.join(TYPE.prefix(), name);
    }

    @Override
    public KeyType<String> type() {
      return TYPE;
    }
  }

  @Test
  @DisplayName(
      "SY-17 names a, ab and one with a slash go to paths and back, and a directory holds only its own children")
  void roundTrip() {
    for (String name : List.of("a", "ab", "a/b", "..", ".", "%41", "ä€𝄞", "a b")) {
      Thing key = new Thing(name);
      assertEquals(Optional.of(key), Thing.TYPE.parse(key.path()), key.path());
      assertEquals(
          Optional.empty(), ListOptions.inside(Thing.TYPE, "a").match(key.path()), key.path());
    }
    assertTrue(
        ListOptions.beginningWith(Thing.TYPE, "a").match(new Thing("ab").path()).isPresent());
    assertTrue(ListOptions.one(new Thing("a")).match(new Thing("ab").path()).isEmpty());
  }

  @Test
  @DisplayName("a key without its name says which part is missing")
  void missingName() {
    InvalidInputException thrown =
        assertThrows(InvalidInputException.class, () -> new Thing("").path());
    assertTrue(thrown.getMessage().contains("name 1"), thrown.getMessage());
  }

  @Property(tries = 500)
  void anyNameRoundTrips(@ForAll @StringLength(min = 1, max = 30) String name) {
    String escaped = KeyPaths.escape(name);
    assertTrue(escaped.chars().allMatch(c -> c < 128 && c != '/'), escaped);
    boolean wellFormed = name.equals(new String(name.getBytes(UTF_8), UTF_8));
    if (wellFormed) {
      assertEquals(Optional.of(name), KeyPaths.unescape(escaped));
    }
  }

  @Property(tries = 500)
  void twoNamesNeverShareAPath(
      @ForAll @StringLength(min = 1, max = 4) String a,
      @ForAll @StringLength(min = 1, max = 4) String b) {
    boolean sameBytes = Arrays.equals(a.getBytes(UTF_8), b.getBytes(UTF_8));
    if (!sameBytes) {
      assertNotEquals(KeyPaths.escape(a), KeyPaths.escape(b));
    }
  }

  @Test
  @DisplayName("text that escape did not make is no name")
  void badEscapes() {
    for (String bad : List.of("%", "%4", "%zz", "a%2", "%41", "a b", "%2f")) {
      assertEquals(Optional.empty(), KeyPaths.unescape(bad), bad);
    }
  }
}
