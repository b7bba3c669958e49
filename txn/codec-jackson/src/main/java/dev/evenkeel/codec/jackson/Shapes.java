package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.Fields;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.KeyedValue;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.StateChange;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the shape of a type, once. Which types there are is the closed list of {@link #compile};
 * nothing is found by a name out of a text. Any thread.
 */
final class Shapes {
  private final KeyTypes keys;
  private final boolean ownErrors;
  private final Map<Type, Shape> known = new ConcurrentHashMap<>();
  private final Map<Type, Shape> compiling = new HashMap<>();

  Shapes(KeyTypes keys, boolean ownErrors) {
    this.keys = keys;
    this.ownErrors = ownErrors;
    known.put(InputState.class, new KeyedShape.State(this));
    known.put(StateChange.class, new KeyedShape.Change(this));
    known.put(
        Fields.class,
        MapShape.of(
            text(),
            value -> ((Fields) value).toMap(),
            map -> {
              Map<String, String> texts = new TreeMap<>();
              map.forEach((name, text) -> texts.put(name, (String) text));
              if (texts.containsKey("") || texts.containsValue("")) {
                throw Malformed.at(Path.root("fields"), "must have no empty name or text");
              }
              return Fields.of(texts);
            }));
  }

  KeyTypes keys() {
    return keys;
  }

  Shape of(KeyType<?> type) {
    return of((Type) type.valueType());
  }

  /** Throws InvalidInputException when values of the type cannot be stored. */
  Shape of(Type type) {
    Shape found = known.get(type);
    return found == null ? compileNew(type) : found;
  }

  /** Nothing is seen by others before all of it is ready, and nothing stays when it fails. */
  private synchronized Shape compileNew(Type type) {
    compiling.clear();
    Shape shape = compile(type, type);
    known.putAll(compiling);
    known.put(type, shape);
    return shape;
  }

  private Shape compile(Type type, Type within) {
    Shape found = known.getOrDefault(type, compiling.get(type));
    if (found != null) {
      return found;
    }
    if (type instanceof WildcardType wildcard) {
      return compile(wildcard.getUpperBounds()[0], within);
    }
    if (type instanceof ParameterizedType generic) {
      return generic((Class<?>) generic.getRawType(), generic.getActualTypeArguments(), within);
    }
    if (!(type instanceof Class<?> plain)) {
      throw unsupported(type, within);
    }
    Shape scalar = ScalarShape.of(plain);
    if (scalar != null) {
      return scalar;
    }
    if (plain.isEnum()) {
      return enumeration(plain);
    }
    if (plain.isRecord()) {
      return plain == KeyedValue.class ? new KeyedShape.Pair(this) : record(plain);
    }
    if (Key.class.isAssignableFrom(plain)) {
      return key(plain);
    }
    if (plain == KeyType.class) {
      return keyType();
    }
    if (plain.isSealed() && plain.isInterface()) {
      return sealed(plain);
    }
    throw unsupported(type, within);
  }

  private Shape generic(Class<?> raw, Type[] arguments, Type within) {
    if (raw == Optional.class) {
      return new OptionalShape(compile(arguments[0], within));
    }
    if (raw == List.class) {
      return ListShape.list(compile(arguments[0], within));
    }
    if (raw == SortedSet.class) {
      return ListShape.sortedSet(compile(arguments[0], within));
    }
    if (raw == Set.class) {
      return ListShape.set(compile(arguments[0], within));
    }
    if (raw == SortedMap.class || raw == Map.class) {
      if (arguments[0] == String.class) {
        return MapShape.map(compile(arguments[1], within));
      }
      if (arguments[0] instanceof ParameterizedType key && key.getRawType() == Key.class) {
        return new KeyedShape.Changes(this);
      }
    }
    if (raw == Key.class || raw == KeyType.class || raw == KeyedValue.class) {
      return compile(raw, within);
    }
    throw unsupported(raw, within);
  }

  private Shape record(Class<?> type) {
    // Known before its components are looked at: a record may hold others of its own type.
    Deferred self = new Deferred();
    compiling.put(type, self);
    try {
      List<RecordShape.Component> components = new ArrayList<>();
      List<Class<?>> parameters = new ArrayList<>();
      for (RecordComponent component : type.getRecordComponents()) {
        parameters.add(component.getType());
        Method accessor = component.getAccessor();
        open(accessor, type);
        components.add(
            new RecordShape.Component(
                component.getName(),
                accessor,
                component.getType() == Secrets.class
                    ? Optional.empty()
                    : Optional.of(compile(component.getGenericType(), type)),
                component.getType() == String.class));
      }
      Constructor<?> constructor = type.getDeclaredConstructor(parameters.toArray(Class<?>[]::new));
      open(constructor, type);
      Shape shape = new RecordShape(constructor, components, versionOf(type), ownErrors);
      self.shape = Optional.of(shape);
      return shape;
    } catch (NoSuchMethodException impossible) {
      throw new IllegalStateException("a record without its constructor: " + type, impossible);
    }
  }

  private static OptionalInt versionOf(Class<?> type) {
    try {
      Field field = type.getDeclaredField("VERSION");
      boolean counts =
          Modifier.isStatic(field.getModifiers())
              && field.getType() == int.class
              && type.getDeclaredMethod("version").getReturnType() == int.class;
      if (!counts) {
        return OptionalInt.empty();
      }
      open(field, type);
      return OptionalInt.of(field.getInt(null));
    } catch (NoSuchFieldException | NoSuchMethodException none) {
      return OptionalInt.empty();
    } catch (IllegalAccessException hidden) {
      throw inaccessible(type);
    }
  }

  private Shape sealed(Class<?> type) {
    Deferred self = new Deferred();
    compiling.put(type, self);
    Map<String, Shape> shapes = new TreeMap<>();
    Map<Class<?>, String> names = new HashMap<>();
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      if (!permitted.isRecord()) {
        throw unsupported(permitted, type);
      }
      shapes.put(permitted.getSimpleName(), compile(permitted, type));
      names.put(permitted, permitted.getSimpleName());
    }
    Shape shape = new SealedShape(shapes, names);
    self.shape = Optional.of(shape);
    return shape;
  }

  private static Shape enumeration(Class<?> type) {
    Map<String, Object> constants = new TreeMap<>();
    for (Object constant : type.getEnumConstants()) {
      constants.put(((Enum<?>) constant).name(), constant);
    }
    return ScalarShape.names(
        value -> ((Enum<?>) value).name(),
        name -> Optional.ofNullable(constants.get(name)),
        "one of " + constants.keySet());
  }

  private Shape key(Class<?> type) {
    return ScalarShape.names(
        value -> ((Key<?>) value).path(),
        path -> keys.parse(path).filter(type::isInstance).map(key -> key),
        "a key of a known kind");
  }

  private Shape keyType() {
    return ScalarShape.names(
        value -> ((KeyType<?>) value).name(),
        name -> keys.named(name).map(type -> type),
        "a known kind of key");
  }

  private static Shape text() {
    return java.util.Objects.requireNonNull(ScalarShape.of(String.class));
  }

  private static void open(java.lang.reflect.AccessibleObject member, Class<?> type) {
    try {
      member.setAccessible(true);
    } catch (InaccessibleObjectException hidden) {
      throw inaccessible(type);
    }
  }

  static InvalidInputException inaccessible(Class<?> type) {
    return InvalidInputException.of(
        "stored type",
        type.getName(),
        "",
        "must be public in an exported package, or its package opened to"
            + " dev.evenkeel.codec.jackson");
  }

  private static InvalidInputException unsupported(Type type, Type within) {
    String reason =
        type instanceof TypeVariable
            ? "is a type variable, which cannot be stored"
            : "cannot be stored: use records of texts, numbers, enums, Instant, Duration, Optional,"
                + " lists, sets and maps by text";
    return InvalidInputException.of(
        "stored type " + within.getTypeName(), type.getTypeName(), "", reason);
  }

  /** Stands for a type that is being compiled. */
  private static final class Deferred extends Shape {
    private volatile Optional<Shape> shape = Optional.empty();

    private Shape shape() {
      return shape.orElseThrow(() -> new IllegalStateException("a type that is not ready"));
    }

    @Override
    Object toTree(Object value, Path path) {
      return shape().toTree(value, path);
    }

    @Override
    Object fromTree(Object tree, Path path) {
      return shape().fromTree(tree, path);
    }

    @Override
    Object unflatten(SortedMap<String, String> below, Path path) {
      return shape().unflatten(below, path);
    }
  }
}
