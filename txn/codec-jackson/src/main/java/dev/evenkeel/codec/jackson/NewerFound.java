package dev.evenkeel.codec.jackson;

/** A record of a newer version than its class knows. */
final class NewerFound extends RuntimeException {
  private static final long serialVersionUID = 1L;

  final int found;
  final int known;

  NewerFound(int found, int known) {
    super("version " + found + ", known up to " + known, null, false, false);
    this.found = found;
    this.known = known;
  }
}
