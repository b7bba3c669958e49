package dev.evenkeel.hostpath;

import dev.evenkeel.api.InvalidInputException;
import java.util.Locale;
import java.util.Optional;

/** What a volume is on disk; chosen by the parameter {@code kind}. */
public enum VolumeForm {
  /** A directory. Its size is recorded and reported, and not enforced. */
  DIRECTORY,
  /** A sparse file of exactly that length. */
  FILE;

  /** As the parameter spells it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<VolumeForm> find(String text) {
    for (VolumeForm form : values()) {
      if (form.text().equals(text)) {
        return Optional.of(form);
      }
    }
    return Optional.empty();
  }

  static VolumeForm parse(String text) {
    return find(text)
        .orElseThrow(
            () ->
                InvalidInputException.of("parameters", "kind", text, "must be directory or file"));
  }
}
