package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.InvalidInputException.Fault;
import dev.evenkeel.api.Secrets;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A record as an object of its components. Secrets are left out and read back as none. Unknown
 * names are refused, since writing the record again would lose them; a version above the class's
 * own comes out as {@link NewerFound} before anything else is looked at.
 */
final class RecordShape extends Shape {
  private final Constructor<?> constructor;
  private final List<Component> components;
  private final OptionalInt version;
  private final boolean ownErrors;

  /** A component; the shape of secrets is absent. */
  record Component(String name, Method accessor, Optional<Shape> shape, boolean text) {}

  /**
   * A shape.
   *
   * @param ownErrors whether what the constructor finds wrong is passed on as it is, for input of
   *     users', or said without what was stored
   */
  RecordShape(
      Constructor<?> constructor,
      List<Component> components,
      OptionalInt version,
      boolean ownErrors) {
    this.constructor = constructor;
    this.components = List.copyOf(components);
    this.version = version;
    this.ownErrors = ownErrors;
  }

  @Override
  Object toTree(Object value, Path path) {
    SortedMap<String, Object> tree = new TreeMap<>();
    for (Component component : components) {
      if (component.shape.isPresent()) {
        Object inner = get(component, value, path);
        Shape shape = component.shape.get();
        if (!shape.omits(inner)) {
          tree.put(component.name, shape.toTree(inner, path.to(component.name)));
        }
      }
    }
    return tree;
  }

  @Override
  Object fromTree(Object tree, Path path) {
    SortedMap<String, Object> rest = new TreeMap<>(Flat.object(tree, path));
    checkVersion(rest);
    List<Fault> faults = new ArrayList<>();
    Object[] arguments = new Object[components.size()];
    int n = 0;
    for (Component component : components) {
      try {
        arguments[n++] = argument(component, rest, path);
      } catch (Malformed wrong) {
        faults.addAll(wrong.faults());
      }
    }
    rest.keySet()
        .forEach(
            name -> faults.add(new Fault(path.to(shown(name)).toString(), "", "is not known")));
    if (!faults.isEmpty()) {
      throw new Malformed(faults);
    }
    return make(arguments, path);
  }

  @Override
  Object unflatten(SortedMap<String, String> below, Path path) {
    SortedMap<String, Object> tree = new TreeMap<>();
    var groups = Flat.groups(below, path);
    for (Component component : components) {
      SortedMap<String, String> group = groups.remove(component.name);
      if (component.shape.isEmpty()) {
        continue;
      }
      if (group != null) {
        tree.put(component.name, component.shape.get().unflatten(group, path.to(component.name)));
      } else if (component.text) {
        tree.put(component.name, "");
      }
    }
    groups.keySet().forEach(name -> tree.put(name, Json.NULL));
    return tree;
  }

  private void checkVersion(SortedMap<String, Object> tree) {
    if (version.isPresent()
        && tree.get("version") instanceof Long found
        && found > version.getAsInt()) {
      throw new NewerFound((int) Math.min(found, Integer.MAX_VALUE), version.getAsInt());
    }
  }

  private static Object argument(Component component, SortedMap<String, Object> rest, Path path) {
    if (component.shape.isEmpty()) {
      return Secrets.NONE;
    }
    Path inner = path.to(component.name);
    Object tree = rest.remove(component.name);
    Shape shape = component.shape.get();
    return tree == null
        ? shape.missing().orElseThrow(() -> Malformed.at(inner, "is missing"))
        : shape.fromTree(tree, inner);
  }

  private Object make(Object[] arguments, Path path) {
    try {
      return constructor.newInstance(arguments);
    } catch (InvocationTargetException refused) {
      Throwable cause = refused.getCause();
      if (cause instanceof Error error) {
        throw error;
      }
      if (ownErrors && cause instanceof EvenkeelException said) {
        throw said;
      }
      String why = ownErrors && cause instanceof IllegalArgumentException ? cause.getMessage() : "";
      throw Malformed.at(
          path,
          "is refused by "
              + constructor.getDeclaringClass().getSimpleName()
              + (why == null || why.isEmpty() ? "" : ": " + why));
    } catch (ReflectiveOperationException inaccessible) {
      throw Shapes.inaccessible(constructor.getDeclaringClass());
    }
  }

  private static Object get(Component component, Object value, Path path) {
    Object inner;
    try {
      inner = component.accessor.invoke(value);
    } catch (ReflectiveOperationException inaccessible) {
      throw Shapes.inaccessible(component.accessor.getDeclaringClass());
    }
    if (inner == null) {
      throw InvalidInputException.of(
          "value", path.to(component.name).toString(), "", "must not be null");
    }
    return inner;
  }

  /** A name out of a text: it may be anything. */
  private static String shown(String name) {
    return name.matches("[A-Za-z0-9_.-]{1,40}") ? name : "(odd name)";
  }
}
