package dev.evenkeel.api.datastore;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a datastore could not do: one nested type for each reason. This type itself: a failure of
 * transport or store that is nothing of those. (Datastore reference, section 2.) Texts never hold
 * stored values.
 */
public class DatastoreException extends EvenkeelException {
  private static final long serialVersionUID = 1L;

  private final String identifier;

  /** A failure about an identifier: a path or a list root. */
  public DatastoreException(
      ErrorKind kind, String identifier, String message, @Nullable Throwable cause) {
    super(kind, message, cause);
    this.identifier = identifier;
  }

  /** A failure of transport or store. */
  public static DatastoreException failed(
      String identifier, String message, @Nullable Throwable cause) {
    return new DatastoreException(ErrorKind.UNAVAILABLE, identifier, message, cause);
  }

  /** The path or list root that it is about. */
  public final String identifier() {
    return identifier;
  }

  /** The target is absent, or is another incarnation than the one meant. */
  public static final class DoesNotExist extends DatastoreException {
    private static final long serialVersionUID = 1L;

    /** About that path. */
    public DoesNotExist(String path) {
      super(ErrorKind.NOT_FOUND, path, path + " does not exist", null);
    }
  }

  /** A pair that must not exist does. */
  public static final class AlreadyExists extends DatastoreException {
    private static final long serialVersionUID = 1L;
    private final transient Optional<KeyValue<?>> existing;

    /** About that path; the existing pair is absent when it could not be decoded. */
    public AlreadyExists(String path, Optional<KeyValue<?>> existing) {
      super(ErrorKind.ALREADY_EXISTS, path, path + " exists already", null);
      this.existing = existing;
    }

    /** The pair that is there. */
    public Optional<KeyValue<?>> existing() {
      return existing;
    }
  }

  /** A revision is not current any more, or a guard of a batch does not hold. */
  public static final class UpdateConflict extends DatastoreException {
    private static final long serialVersionUID = 1L;
    private final transient Optional<KeyValue<?>> current;

    /**
     * About that path; the current pair is absent when the key is, or when the store does not say.
     */
    public UpdateConflict(String path, Optional<KeyValue<?>> current) {
      super(ErrorKind.BUSY, path, path + " was changed by somebody else: read it again", null);
      this.current = current;
    }

    /** The pair that is there. */
    public Optional<KeyValue<?>> current() {
      return current;
    }
  }

  /** This store cannot do it. */
  public static final class NotSupported extends DatastoreException {
    private static final long serialVersionUID = 1L;

    /** That verb on that path, and why. */
    public NotSupported(String verb, String path, String reason) {
      super(
          ErrorKind.UNIMPLEMENTED,
          path,
          verb + " of " + path + " is not supported: " + reason,
          null);
    }
  }

  /** Forbidden or not authenticated. */
  public static final class Unauthorized extends DatastoreException {
    private static final long serialVersionUID = 1L;

    /** For that path. */
    public Unauthorized(String path, @Nullable Throwable cause) {
      super(ErrorKind.UNAUTHORIZED, path, "the datastore refuses access to " + path, cause);
    }
  }

  /** The write was fenced: a newer epoch is known. */
  public static final class Fenced extends DatastoreException {
    private static final long serialVersionUID = 1L;

    /** About that path. */
    public Fenced(String path) {
      super(
          ErrorKind.FAILED_PRECONDITION,
          path,
          "write of " + path + " refused: a newer leader is known",
          null);
    }
  }

  /** The write may have taken effect, and a later step failed: read before repeating it. */
  public static final class PartialFailure extends DatastoreException {
    private static final long serialVersionUID = 1L;

    /** About that path. */
    public PartialFailure(String path, @Nullable Throwable cause) {
      super(
          ErrorKind.UNAVAILABLE,
          path,
          "write of " + path + " may have taken effect: read it again",
          cause);
    }
  }

  /** Stored bytes that cannot be decoded. */
  public static final class ParsingEntry extends DatastoreException {
    private static final long serialVersionUID = 1L;
    private final transient byte[] rawValue;

    /**
     * That raw key and value; the value is given out by {@link #rawValue()} alone, since it may
     * hold anything.
     */
    public ParsingEntry(String rawKey, byte[] rawValue, @Nullable Throwable cause) {
      super(
          ErrorKind.INTERNAL,
          rawKey,
          "stored value of " + rawKey + " (" + rawValue.length + " bytes) cannot be decoded",
          cause);
      this.rawValue = rawValue.clone();
    }

    /** A copy of the stored bytes. */
    public byte[] rawValue() {
      return rawValue.clone();
    }
  }

  /** A stored record of a newer version than this build knows: left untouched. */
  public static final class NewerVersion extends DatastoreException {
    private static final long serialVersionUID = 1L;

    /** That path with that version, where this is the newest known. */
    public NewerVersion(String path, int found, int known) {
      super(
          ErrorKind.FAILED_PRECONDITION,
          path,
          path
              + " has version "
              + found
              + ", this build knows up to "
              + known
              + ": use a newer build",
          null);
    }
  }
}
