package dev.evenkeel.controller.recording;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.codec.jackson.JacksonEventCodec;
import dev.evenkeel.codec.jackson.KeyTypes;
import dev.evenkeel.codec.jackson.Limits;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;

/**
 * What a recording needs to know of a controller to write and read its events and values: kinds of
 * events, kinds of keys, descriptors. Made by whoever sets the controller up; immutable, any
 * thread.
 */
public final class RecordingCodec {
  final JacksonEventCodec events;
  final Values values;
  private final KeyTypes keys;
  private final List<Descriptor<?, ?>> descriptors;

  private RecordingCodec(
      JacksonEventCodec events, KeyTypes keys, List<? extends Descriptor<?, ?>> descriptors) {
    this.events = events;
    this.keys = keys;
    this.descriptors = List.copyOf(descriptors);
    this.values = new Values(new JacksonCodecs(Limits.EVENTS, keys));
  }

  /**
   * For a controller with these kinds of its own.
   *
   * @param keys of input state, stored records and values
   * @param types of its events; the framework's own are known
   */
  public static RecordingCodec of(
      KeyTypes keys, List<? extends Descriptor<?, ?>> descriptors, EventType<?>... types) {
    return new RecordingCodec(JacksonEventCodec.of(keys, types), keys, descriptors);
  }

  /** For a storage driver: all requests for volumes and their records are known. */
  public static RecordingCodec withVolumes(EventType<?>... types) {
    return new RecordingCodec(
        JacksonEventCodec.withVolumes(types), KeyTypes.withVolumes(), List.of());
  }

  List<Descriptor<?, ?>> descriptors() {
    return descriptors;
  }

  /** The kind of a stored record's key. */
  Key<?> key(String path) {
    return keys.parse(path).orElseThrow(() -> Trees.malformed("key " + path));
  }

  Optional<Descriptor<?, ?>> descriptorNamed(String name) {
    return descriptors.stream().filter(d -> d.name().equals(name)).findFirst();
  }

  /** Class of the metadata that the descriptor of a path gives. */
  Class<?> metadataAt(String path) {
    return descriptors.stream()
        .filter(descriptor -> path.startsWith(descriptor.type().prefix()))
        .findFirst()
        .map(RecordingCodec::metadataOf)
        .orElseThrow(() -> Trees.malformed("descriptor of " + path));
  }

  /** The second type argument of {@code Descriptor}, where the class or a superclass fixes it. */
  static Class<?> metadataOf(Descriptor<?, ?> descriptor) {
    for (Class<?> c = descriptor.getClass(); c != null; c = c.getSuperclass()) {
      for (Type type : c.getGenericInterfaces()) {
        if (type instanceof ParameterizedType generic
            && generic.getRawType() == Descriptor.class
            && generic.getActualTypeArguments()[1] instanceof Class<?> metadata) {
          return metadata;
        }
      }
    }
    throw new IllegalArgumentException(
        "cannot tell the class of the metadata of descriptor "
            + descriptor.name()
            + ": its class must implement Descriptor with plain types");
  }
}
