package dev.evenkeel.codec.jackson;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventCodec;
import dev.evenkeel.api.event.EventType;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.ExternalResync;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.event.Notification;
import dev.evenkeel.api.event.Shutdown;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.api.event.VerificationResync;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.volume.AttachVolume;
import dev.evenkeel.api.volume.CreateGroupSnapshot;
import dev.evenkeel.api.volume.CreateSnapshot;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteGroupSnapshot;
import dev.evenkeel.api.volume.DeleteSnapshot;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.DetachVolume;
import dev.evenkeel.api.volume.ExpandNodeVolume;
import dev.evenkeel.api.volume.ExpandVolume;
import dev.evenkeel.api.volume.ModifyVolume;
import dev.evenkeel.api.volume.PublishVolume;
import dev.evenkeel.api.volume.StageVolume;
import dev.evenkeel.api.volume.UnpublishVolume;
import dev.evenkeel.api.volume.UnstageVolume;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Events as one line of compact JSON with sorted names. Made once by whoever sets a controller up;
 * any thread, no I/O. It knows the framework's own kinds and those it was given, nothing else.
 *
 * <p>Secrets are never written and come back as none. What is wrong with a text is said with every
 * fault at once and in the words of the event's own checks, which never quote a secret.
 */
public final class JacksonEventCodec implements EventCodec {
  private static final List<EventType<?>> BUILT_IN =
      List.of(
          DatastoreResync.TYPE,
          ExternalChange.TYPE,
          ExternalResync.TYPE,
          HealingResync.TYPE,
          Notification.TYPE,
          ObserveValues.TYPE,
          Shutdown.TYPE,
          StateChange.TYPE,
          VerificationResync.TYPE);

  private static final List<EventType<?>> VOLUMES =
      List.of(
          AttachVolume.TYPE,
          CreateGroupSnapshot.TYPE,
          CreateSnapshot.TYPE,
          CreateVolume.TYPE,
          DeleteGroupSnapshot.TYPE,
          DeleteSnapshot.TYPE,
          DeleteVolume.TYPE,
          DetachVolume.TYPE,
          ExpandNodeVolume.TYPE,
          ExpandVolume.TYPE,
          ModifyVolume.TYPE,
          PublishVolume.TYPE,
          StageVolume.TYPE,
          UnpublishVolume.TYPE,
          UnstageVolume.TYPE);

  private final Json json;
  private final Shapes shapes;
  private final SortedMap<String, EventType<?>> types;

  /**
   * A codec of kinds that are known to be storable, and of others.
   *
   * @param sure found out when they are first used: that is what a program's start need not wait
   *     for
   */
  private JacksonEventCodec(
      Limits limits, KeyTypes keys, List<EventType<?>> sure, List<EventType<?>> more) {
    this.json = new Json(limits);
    this.shapes = new Shapes(keys, true);
    SortedMap<String, EventType<?>> byName = new TreeMap<>();
    List<EventType<?>> all = new ArrayList<>(sure);
    all.addAll(more);
    for (EventType<?> type : all) {
      EventType<?> there = byName.putIfAbsent(type.name(), type);
      if (there != null && !there.equals(type)) {
        throw InvalidInputException.of(
            "event codec", type.name(), type.eventClass().getName(), "is a name given twice");
      }
    }
    more.forEach(type -> shapes.of(type.eventClass()));
    this.types = Collections.unmodifiableSortedMap(byName);
  }

  /** The framework's own kinds and the given ones. */
  public static JacksonEventCodec of(EventType<?>... types) {
    return of(KeyTypes.NONE, types);
  }

  /** As {@link #of(EventType...)}, with keys of those kinds inside events. */
  public static JacksonEventCodec of(KeyTypes keys, EventType<?>... types) {
    return of(Limits.EVENTS, keys, List.of(types));
  }

  /** The framework's own kinds, all requests for volumes, and the given ones. */
  public static JacksonEventCodec withVolumes(EventType<?>... types) {
    List<EventType<?>> sure = new ArrayList<>(BUILT_IN);
    sure.addAll(VOLUMES);
    return new JacksonEventCodec(Limits.EVENTS, KeyTypes.withVolumes(), sure, List.of(types));
  }

  /** With limits of one's own. */
  public static JacksonEventCodec of(Limits limits, KeyTypes keys, List<EventType<?>> types) {
    return new JacksonEventCodec(limits, keys, BUILT_IN, types);
  }

  /** The kinds of all requests for volumes. */
  public static List<EventType<?>> volumeTypes() {
    return VOLUMES;
  }

  /** The kinds that this codec knows, by name; unmodifiable. */
  public SortedMap<String, EventType<?>> types() {
    return types;
  }

  @Override
  public String encode(Event event) {
    EventType<?> type = event.type();
    if (!Optional.ofNullable(types.get(type.name())).equals(Optional.of(type))) {
      throw InvalidInputException.of(
          "event", "type", type.name(), "is a kind that this codec was not given");
    }
    if (event instanceof Notification told && !told.metadata().isEmpty()) {
      throw InvalidInputException.of(
          "event",
          "metadata",
          "",
          "of a notification are of classes that only descriptors know: they cannot be written");
    }
    return json.write(shapes.of(type.eventClass()).toTree(event, Path.root(type.name())));
  }

  @Override
  public Event decode(String type, int version, String text) {
    EventType<?> known = known(type, version);
    return event(known, json.parse(text));
  }

  /** As {@link #decode}, of a tree that {@link Json} gave. */
  public Event decodeTree(String type, int version, Object tree) {
    return event(known(type, version), tree);
  }

  private EventType<?> known(String name, int version) {
    EventType<?> type = types.get(name);
    if (type == null) {
      throw InvalidInputException.of("event", "type", name, "is not known here");
    }
    if (version > type.version()) {
      throw newer(name, version, type.version());
    }
    if (version < 1) {
      throw InvalidInputException.of(
          "event", "version", Integer.toString(version), "must be 1 or more");
    }
    return type;
  }

  private Event event(EventType<?> type, Object tree) {
    try {
      return type.eventClass()
          .cast(shapes.of(type.eventClass()).fromTree(tree, Path.root(type.name())));
    } catch (Malformed wrong) {
      throw new InvalidInputException(type.name(), wrong.faults());
    } catch (NewerFound newer) {
      throw newer(type.name(), newer.found, newer.known);
    }
  }

  private static EvenkeelException newer(String name, int found, int known) {
    return new EvenkeelException(
        ErrorKind.FAILED_PRECONDITION,
        "an event "
            + name
            + " has version "
            + found
            + ", this build knows up to "
            + known
            + ": use a newer build");
  }
}
