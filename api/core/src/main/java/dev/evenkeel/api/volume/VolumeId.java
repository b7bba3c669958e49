package dev.evenkeel.api.volume;

import dev.evenkeel.api.InvalidInputException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The id of a volume, snapshot or group: {@code version-length-cluster-location-uuid}, where
 * version and length have four and location has sixteen hexadecimal digits (operations reference,
 * 1.2). The version that was read is kept.
 *
 * @param version of the format, 0 to ffff
 * @param cluster which cluster: 1 to 64 characters
 * @param location which pool or file system in it; all 64 bits
 * @param uuid which object
 */
public record VolumeId(int version, String cluster, long location, String uuid) {
  /** The version that is written. */
  public static final int CURRENT = 1;

  private static final int HEAD = 10;
  private static final int TAIL = 1 + 16 + 1 + 36;
  private static final Pattern HEX4 = Pattern.compile("[0-9a-fA-F]{4}");
  private static final Pattern HEX16 = Pattern.compile("[0-9a-fA-F]{16}");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** Refuses parts that cannot be written. */
  public VolumeId {
    if (version < 0 || version > 0xffff) {
      throw InvalidInputException.of(
          "volume id", "version", Integer.toString(version), "must be 0 to 65535");
    }
    if (cluster.isEmpty() || cluster.length() > 64 || !VolumeNames.fault(cluster).isEmpty()) {
      throw InvalidInputException.of(
          "volume id", "cluster", cluster, "must have 1 to 64 plain characters");
    }
    if (!UUID.matcher(uuid).matches()) {
      throw InvalidInputException.of("volume id", "uuid", uuid, "must be a UUID of 36 characters");
    }
  }

  /** The id of a new object. */
  public static VolumeId of(String cluster, long location, String uuid) {
    return new VolumeId(CURRENT, cluster, location, uuid);
  }

  /** Reads an id; throws {@link InvalidInputException} and nothing else, whatever the text. */
  public static VolumeId parse(String text) {
    return tryParse(text)
        .orElseThrow(
            () ->
                InvalidInputException.of(
                    "volume id", "id", text, "must be version-length-cluster-location-uuid"));
  }

  /** Reads an id; empty when the text is none. Never throws. */
  public static Optional<VolumeId> tryParse(String text) {
    if (text.length() > VolumeNames.LONGEST || text.length() < HEAD + 1 + TAIL) {
      return Optional.empty();
    }
    if (!HEX4.matcher(text.substring(0, 4)).matches()
        || text.charAt(4) != '-'
        || !HEX4.matcher(text.substring(5, 9)).matches()
        || text.charAt(9) != '-') {
      return Optional.empty();
    }
    int length = Integer.parseInt(text.substring(5, 9), 16);
    if (length == 0 || HEAD + length + TAIL != text.length()) {
      return Optional.empty();
    }
    String cluster = text.substring(HEAD, HEAD + length);
    String rest = text.substring(HEAD + length);
    String location = rest.substring(1, 17);
    String uuid = rest.substring(18);
    if (rest.charAt(0) != '-'
        || rest.charAt(17) != '-'
        || !HEX16.matcher(location).matches()
        || !UUID.matcher(uuid).matches()
        || cluster.length() > 64
        || !VolumeNames.fault(cluster).isEmpty()) {
      return Optional.empty();
    }
    int version = Integer.parseInt(text.substring(0, 4), 16);
    return Optional.of(new VolumeId(version, cluster, Long.parseUnsignedLong(location, 16), uuid));
  }

  /** The text that {@link #parse} reads. */
  public String text() {
    return String.format(
        Locale.ROOT, "%04x-%04x-%s-%016x-%s", version, cluster.length(), cluster, location, uuid);
  }

  @Override
  public String toString() {
    return text();
  }
}
