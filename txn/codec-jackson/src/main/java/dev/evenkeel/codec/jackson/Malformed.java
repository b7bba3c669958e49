package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.InvalidInputException.Fault;
import java.util.List;

/** A tree that does not fit its shape. Says where and what is wanted, never what is there. */
final class Malformed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Fault> faults;

  Malformed(List<Fault> faults) {
    super(faults.toString(), null, false, false);
    this.faults = List.copyOf(faults);
  }

  static Malformed at(Path path, String reason) {
    return new Malformed(List.of(new Fault(path.toString(), "", reason)));
  }

  List<Fault> faults() {
    return faults;
  }
}
