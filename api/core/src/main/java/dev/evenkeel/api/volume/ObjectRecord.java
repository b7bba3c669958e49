package dev.evenkeel.api.volume;

import dev.evenkeel.api.Experimental;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is stored of a volume, snapshot or group: flat, without secrets. The reservation writes it
 * before the first step, the updaters complete it when all is done. (Stands for the UUID object and
 * for the row of the state database of the ancestors.)
 *
 * @param version of the record's form
 * @param uuid of the object
 * @param id of the object, as answered
 * @param name of the request: the back pointer
 * @param state how far it is
 * @param image name of the backend's image
 * @param imageId the backend's own id; absent until known
 * @param size real bytes; while it is reserved, those that are planned
 * @param source what it is a copy of: {@code SNAPSHOT:id} or {@code VOLUME:id}; for a snapshot, its
 *     volume
 * @param parameters of the request; of a group, its members: the UUID of each snapshot by the id of
 *     its volume
 * @param transaction of the operation that wrote it last: a late completion of an older one is
 *     refused
 * @param created when it was reserved; for a snapshot, when it was cut
 */
public record ObjectRecord(
    int version,
    String uuid,
    String id,
    String name,
    State state,
    String image,
    Optional<String> imageId,
    long size,
    Optional<String> source,
    SortedMap<String, String> parameters,
    String transaction,
    Instant created) {
  /** The version that is written. */
  public static final int VERSION = 1;

  /** How far an object is. */
  public enum State {
    /** Its name is taken, and nothing more is known. */
    RESERVED,
    /** It is complete. */
    CREATED,
    /** An operation on it ended uncertain: what is there must be probed. */
    UNKNOWN
  }

  /** Copies the parameters. */
  public ObjectRecord {
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
  }

  /** The same, complete. */
  public ObjectRecord created(String newImageId, long newSize, String newTransaction) {
    return new ObjectRecord(
        version,
        uuid,
        id,
        name,
        State.CREATED,
        image,
        Optional.of(newImageId),
        newSize,
        source,
        parameters,
        newTransaction,
        created);
  }

  /** The same with other parameters. */
  @Experimental("new")
  public ObjectRecord with(SortedMap<String, String> newParameters) {
    return new ObjectRecord(
        version,
        uuid,
        id,
        name,
        state,
        image,
        imageId,
        size,
        source,
        newParameters,
        transaction,
        created);
  }

  /** The same in another state. */
  public ObjectRecord in(State newState, String newTransaction) {
    return new ObjectRecord(
        version,
        uuid,
        id,
        name,
        newState,
        image,
        imageId,
        size,
        source,
        parameters,
        newTransaction,
        created);
  }
}
