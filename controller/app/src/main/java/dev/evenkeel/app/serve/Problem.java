package dev.evenkeel.app.serve;

import dev.evenkeel.api.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A request that cannot be answered as asked: what RFC 9457 calls a problem. */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final transient List<InvalidInputException.Fault> faults;

  private Problem(int status, String detail, List<InvalidInputException.Fault> faults) {
    super(detail, null, false, false);
    this.status = status;
    this.faults = List.copyOf(faults);
  }

  /** A problem with a status of HTTP's. */
  public static Problem of(int status, String detail) {
    return new Problem(status, detail, List.of());
  }

  /** Wrong input, all that is wrong at once. */
  public static Problem invalid(List<InvalidInputException.Fault> faults) {
    StringBuilder detail = new StringBuilder();
    for (InvalidInputException.Fault fault : faults) {
      detail.append(detail.isEmpty() ? "" : "; ").append(fault.field()).append(' ');
      detail.append(fault.reason());
    }
    return new Problem(400, detail.toString(), faults);
  }

  /** Wrong input. */
  public static Problem invalid(String field, String given, String reason) {
    return invalid(List.of(new InvalidInputException.Fault(field, given, reason)));
  }

  static Problem notFound(String what) {
    return of(404, what);
  }

  int status() {
    return status;
  }

  /** As the body of an answer. */
  Answer answer() {
    Map<String, Object> tree = new TreeMap<>();
    tree.put("type", "about:blank");
    tree.put("status", status);
    tree.put("title", title(status));
    tree.put("detail", Shown.cut(String.valueOf(getMessage()), 2_000));
    if (!faults.isEmpty()) {
      List<Object> wrong = new ArrayList<>();
      for (InvalidInputException.Fault fault : faults) {
        Map<String, Object> one = new TreeMap<>();
        one.put("field", fault.field());
        one.put("given", Shown.cut(fault.given(), 200));
        one.put("reason", fault.reason());
        wrong.add(one);
      }
      tree.put("faults", wrong);
    }
    return Answer.problem(status, JsonText.of(tree));
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "Bad request";
      case 401 -> "Not authenticated";
      case 403 -> "Not allowed";
      case 404 -> "Not found";
      case 405 -> "No such method here";
      case 406 -> "No such form";
      case 409 -> "Not possible now";
      case 413 -> "Too large";
      case 415 -> "No such content type";
      case 429 -> "Too many";
      case 501 -> "Not offered";
      case 503 -> "Not ready";
      default -> "Failed";
    };
  }
}
