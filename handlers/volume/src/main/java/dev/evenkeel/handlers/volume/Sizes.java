package dev.evenkeel.handlers.volume;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.volume.SizeRange;
import dev.evenkeel.api.volume.VolumeBackend;
import java.util.Optional;

/** Decides how large things become. Pure. */
final class Sizes {
  private final VolumeBackend backend;

  Sizes(VolumeBackend backend) {
    this.backend = backend;
  }

  /** The size of a new volume; what it is made of must fit into it. */
  long fresh(SizeRange wanted, Optional<VolumePlan.Origin> origin) {
    long least = origin.map(VolumePlan.Origin::size).orElse(0L);
    if (wanted.required() > 0 && wanted.required() < least) {
      throw InvalidInputException.of(
          "create-volume",
          "size",
          Long.toString(wanted.required()),
          "must be at least that of its source, " + least);
    }
    if (wanted.required() > 0) {
      return within(wanted, backend.roundUp(wanted.required()));
    }
    if (least > 0) {
      return within(wanted, Math.max(least, backend.roundUp(least)));
    }
    long usual = backend.roundUp(backend.defaultSize());
    boolean tooLarge = wanted.limit() > 0 && usual > wanted.limit();
    return within(wanted, tooLarge ? backend.roundUp(1) : usual);
  }

  /** The size that a volume is to grow to. */
  long grown(SizeRange wanted) {
    return within(wanted, backend.roundUp(wanted.required()));
  }

  /** Whether what is there is what is wanted: larger is fine up to the limit, never shrunk. */
  static void compare(String name, SizeRange wanted, long real) {
    if (!wanted.fits(real)) {
      throw new EvenkeelException(
          ErrorKind.ALREADY_EXISTS,
          name + " exists with " + real + " bytes, and " + text(wanted) + " are wanted");
    }
  }

  private static long within(SizeRange wanted, long rounded) {
    if (wanted.limit() > 0 && rounded > wanted.limit()) {
      throw new EvenkeelException(
          ErrorKind.OUT_OF_RANGE,
          "the least size that this backend has for "
              + text(wanted)
              + " is "
              + rounded
              + ": beyond the limit");
    }
    return rounded;
  }

  private static String text(SizeRange wanted) {
    return wanted.required()
        + (wanted.limit() > 0 ? " to " + wanted.limit() : " or more")
        + " bytes";
  }
}
