package dev.evenkeel.app.serve;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One thing that can be asked: where, with which parameters, and who answers. The table of routes
 * is also what the OpenAPI document is written from. Immutable.
 *
 * @param method GET, PUT, POST or DELETE
 * @param template path, with names in braces
 * @param tag groups routes in the document
 * @param summary one sentence
 * @param params that are known; others are refused
 * @param types of the content of good answers
 * @param raw whether its body is no object of parameters
 * @param action answers
 */
public record Route(
    String method,
    String template,
    String tag,
    String summary,
    List<Param> params,
    List<String> types,
    boolean raw,
    Action action) {
  /** Copies the lists. */
  public Route {
    params = List.copyOf(params);
    types = List.copyOf(types);
  }

  /** Answers a request; may block; throws a {@link Problem}. */
  @FunctionalInterface
  public interface Action {
    /** Answers. */
    Answer answer(Call call) throws Exception;
  }

  /**
   * A parameter of the query, or of the body of what is posted.
   *
   * @param name its name
   * @param form how it is written: integer, string, boolean, time, or words with bars between
   * @param meaning for people
   */
  public record Param(String name, String form, String meaning) {}

  /** Asked with GET. */
  public static Route get(String template, String tag, String summary, Action action) {
    return new Route(
        "GET", template, tag, summary, List.of(), List.of("application/json"), false, action);
  }

  /** Asked with POST. */
  public static Route post(String template, String tag, String summary, Action action) {
    return new Route(
        "POST", template, tag, summary, List.of(), List.of("application/json"), false, action);
  }

  /** Asked with PUT. */
  public static Route put(String template, String tag, String summary, Action action) {
    return new Route(
        "PUT", template, tag, summary, List.of(), List.of("application/json"), false, action);
  }

  /** Asked with DELETE. */
  public static Route delete(String template, String tag, String summary, Action action) {
    return new Route(
        "DELETE", template, tag, summary, List.of(), List.of("application/json"), false, action);
  }

  /** The same, whose body is not taken apart. */
  public Route takingRaw() {
    return new Route(method, template, tag, summary, params, types, true, action);
  }

  /** The same with a parameter. */
  public Route with(String name, String form, String meaning) {
    List<Param> more = new ArrayList<>(params);
    more.add(new Param(name, form, meaning));
    return new Route(method, template, tag, summary, more, types, raw, action);
  }

  /** The same that gives other contents. */
  public Route giving(String... contentTypes) {
    return new Route(method, template, tag, summary, params, List.of(contentTypes), raw, action);
  }

  Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    params.forEach(param -> names.add(param.name()));
    return names;
  }

  /** The parts of a path that it names; absent when the path is another's. */
  Optional<Map<String, String>> match(List<String> segments) {
    String[] parts = template.substring(1).split("/", -1);
    if (parts.length != segments.size()) {
      return Optional.empty();
    }
    Map<String, String> named = new HashMap<>();
    for (int i = 0; i < parts.length; i++) {
      if (parts[i].startsWith("{")) {
        named.put(parts[i].substring(1, parts[i].length() - 1), segments.get(i));
      } else if (!parts[i].equals(segments.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(named);
  }
}
