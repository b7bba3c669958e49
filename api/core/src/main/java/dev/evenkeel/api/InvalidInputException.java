package dev.evenkeel.api;

import java.util.List;

/**
 * Input that was refused, with every fault found in it at once. Thrown by builders, parsers and
 * configuration; always {@link ErrorKind#INVALID}.
 */
public final class InvalidInputException extends EvenkeelException {
  private static final long serialVersionUID = 1L;

  /**
   * One fault: where it is, what was given (shortened, never a secret), and what is wanted instead.
   */
  public record Fault(String field, String given, String reason) implements java.io.Serializable {
    /** As one line of text. */
    public String text() {
      return field + ": " + reason + (given.isEmpty() ? "" : " (given: " + given + ")");
    }
  }

  private final transient List<Fault> faults;

  /** All faults of one input; the list must not be empty. */
  public InvalidInputException(String what, List<Fault> faults) {
    super(ErrorKind.INVALID, text(what, faults));
    this.faults = List.copyOf(faults);
  }

  /** One fault. */
  public static InvalidInputException of(String what, String field, String given, String reason) {
    String shown = given.length() <= 80 ? given : given.substring(0, 77) + "...";
    return new InvalidInputException(what, List.of(new Fault(field, shown, reason)));
  }

  /** Every fault, in the order in which the input has them. */
  public List<Fault> faults() {
    return faults;
  }

  private static String text(String what, List<Fault> faults) {
    if (faults.isEmpty()) {
      throw new IllegalArgumentException("an invalid input needs at least one fault");
    }
    StringBuilder out = new StringBuilder(what).append(" is invalid: ");
    for (int i = 0; i < faults.size(); i++) {
      out.append(i == 0 ? "" : "; ").append(faults.get(i).text());
    }
    return out.toString();
  }
}
