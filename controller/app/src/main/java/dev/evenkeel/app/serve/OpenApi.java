package dev.evenkeel.app.serve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the OpenAPI document from the table of routes. Pure. */
final class OpenApi {
  private OpenApi() {}

  static Map<String, Object> document(String version, List<Route> routes) {
    Map<String, Object> paths = new LinkedHashMap<>();
    for (Route route : routes) {
      Object there = paths.computeIfAbsent(route.template(), t -> new LinkedHashMap<>());
      @SuppressWarnings("unchecked") // made just above
      Map<String, Object> methods = (Map<String, Object>) there;
      methods.put(route.method().toLowerCase(Locale.ROOT), operation(route));
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", "3.0.3");
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("title", "Evenkeel: a running controller");
    info.put("version", version);
    info.put("description", "What is wrong is told as problems of RFC 9457.");
    document.put("info", info);
    document.put("paths", paths);
    document.put("components", components());
    document.put("security", List.of(Map.of(), Map.of("token", List.of())));
    return document;
  }

  private static Map<String, Object> operation(Route route) {
    Map<String, Object> operation = new LinkedHashMap<>();
    operation.put("tags", List.of(route.tag()));
    operation.put("operationId", id(route));
    operation.put("summary", route.summary());
    List<Object> parameters = new ArrayList<>();
    for (String part : route.template().split("/", -1)) {
      if (part.startsWith("{")) {
        String name = part.substring(1, part.length() - 1);
        String form = name.equals("name") ? "string" : "integer";
        parameters.add(parameter(new Route.Param(name, form, "needed"), "path"));
      }
    }
    route.params().forEach(param -> parameters.add(parameter(param, "query")));
    operation.put("parameters", parameters);
    Map<String, Object> content = new LinkedHashMap<>();
    for (String type : route.types()) {
      String schema = type.endsWith("json") ? "object" : "string";
      content.put(type, Map.of("schema", Map.of("type", schema)));
    }
    Map<String, Object> responses = new LinkedHashMap<>();
    responses.put("200", Map.of("description", "as asked", "content", content));
    responses.put("default", Map.of("$ref", "#/components/responses/problem"));
    operation.put("responses", responses);
    return operation;
  }

  /** Such as {@code getEvents}; the same for the same route, always. */
  private static String id(Route route) {
    StringBuilder id = new StringBuilder(route.method().toLowerCase(Locale.ROOT));
    for (String word : route.template().replace("/api/v1", "").split("[^a-z0-9A-Z]+", -1)) {
      if (!word.isEmpty()) {
        id.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
      }
    }
    return id.toString();
  }

  private static Map<String, Object> parameter(Route.Param param, String in) {
    Map<String, Object> schema = new LinkedHashMap<>();
    switch (param.form()) {
      case "integer" -> {
        schema.put("type", "integer");
        schema.put("minimum", 0);
      }
      case "boolean", "string" -> schema.put("type", param.form());
      case "time" -> {
        schema.put("type", "string");
        schema.put("example", "-15m");
      }
      default -> {
        schema.put("type", "string");
        schema.put("enum", List.of(param.form().split("\\|", -1)));
      }
    }
    Map<String, Object> parameter = new LinkedHashMap<>();
    parameter.put("name", param.name());
    parameter.put("in", in);
    parameter.put("required", in.equals("path") || param.meaning().endsWith("needed"));
    parameter.put("description", param.meaning());
    parameter.put("schema", schema);
    return parameter;
  }

  private static Map<String, Object> components() {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (String name : List.of("type", "title", "detail")) {
      properties.put(name, Map.of("type", "string"));
    }
    properties.put("status", Map.of("type", "integer"));
    properties.put("faults", Map.of("type", "array", "items", Map.of("type", "object")));
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    Map<String, Object> problem = new LinkedHashMap<>();
    problem.put("description", "a problem");
    problem.put("content", Map.of("application/problem+json", Map.of("schema", schema)));
    Map<String, Object> components = new LinkedHashMap<>();
    components.put("responses", Map.of("problem", problem));
    components.put("securitySchemes", Map.of("token", Map.of("type", "http", "scheme", "bearer")));
    return components;
  }
}
