package dev.evenkeel.store.rados;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.datastore.Revision;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.regex.Pattern;

/**
 * The spellings of revisions: of a write, {@code client-call} in hexadecimal digits; {@code c…}, of
 * the content of a record that has none; {@code l…}, of what a list found.
 */
final class Revisions {
  private static final Pattern KNOWN =
      Pattern.compile("[0-9a-f]{1,16}-[0-9a-f]{1,16}|[cl][0-9a-f]{32}");

  private Revisions() {}

  static Revision ofContent(SortedMap<String, byte[]> fields) {
    MessageDigest digest = digest();
    fields.forEach(
        (name, value) -> {
          add(digest, name.getBytes(StandardCharsets.UTF_8));
          add(digest, value);
        });
    return new Revision("c" + end(digest));
  }

  static Revision ofList(String meant, Collection<Entry> entries) {
    MessageDigest digest = digest();
    add(digest, meant.getBytes(StandardCharsets.UTF_8));
    for (Entry entry : entries) {
      add(digest, entry.spot.path().getBytes(StandardCharsets.UTF_8));
      add(digest, entry.revision().text().getBytes(StandardCharsets.UTF_8));
    }
    return new Revision("l" + end(digest));
  }

  /** Whether there is a condition in it; throws when no store of this kind has given it. */
  static boolean isCondition(Revision revision) {
    if (!revision.isGiven() || revision.equals(Revision.ZERO)) {
      return false;
    }
    if (!KNOWN.matcher(revision.text()).matches()) {
      throw InvalidInputException.of(
          "datastore call", "revision", revision.text(), "must be one that this store gave");
    }
    return true;
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has it", impossible);
    }
  }

  /** With its length, so that two texts are not taken for one. */
  private static void add(MessageDigest digest, byte[] bytes) {
    digest.update(Integer.toString(bytes.length).getBytes(StandardCharsets.UTF_8));
    digest.update((byte) ':');
    digest.update(bytes);
  }

  private static String end(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest(), 0, 16);
  }
}
