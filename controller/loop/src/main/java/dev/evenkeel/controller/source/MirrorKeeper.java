package dev.evenkeel.controller.source;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.datastore.Revision;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * When the mirror is read and written: read at the start, replaced as a whole after each remote
 * resync, changed in batches after that, one call at a time. A failure is reported, and answered by
 * replacing the whole, after a pause (DW-3, DW-5, DW-6). Under its owner's lock.
 */
final class MirrorKeeper {
  private final SourceOptions options;
  private final Timers timers;
  private final Backoff backoff;
  private final LongSupplier ids;
  private final Map<String, Effect.Change> changed = new LinkedHashMap<>();
  private boolean readWanted;
  private boolean looked;
  private boolean writable;
  private boolean wholeWanted;
  private boolean behind;
  private long busy;
  private boolean reading;
  private boolean replacing;

  MirrorKeeper(SourceOptions options, Timers timers, Backoff backoff, LongSupplier ids) {
    this.options = options;
    this.timers = timers;
    this.backoff = backoff;
    this.ids = ids;
    this.readWanted = options.mirrored();
    this.looked = !options.mirrored();
  }

  /** All that is known has changed. */
  void replace() {
    writable = options.mirrored();
    wholeWanted = writable;
    readWanted = false;
    changed.clear();
    timers.clear(Timers.Kind.MIRROR);
  }

  /** One value has changed. */
  void changed(String path, Effect.Change change) {
    if (writable && !wholeWanted) {
      changed.put(path, change);
    }
  }

  /**
   * It was not looked at yet, or is being read: whoever can, waits. The remote store may be in sync
   * before the first reading has even begun, and what only the mirror knows would be forgotten.
   */
  boolean isReading() {
    return !looked || (reading && busy != 0);
  }

  /** A snapshot is on its way into it: the loop is told after that. */
  boolean isReplacing() {
    return writable && !behind && (wholeWanted || (busy != 0 && replacing));
  }

  SourceStatus.Mirror status() {
    if (!options.mirrored()) {
      return SourceStatus.Mirror.NONE;
    }
    return behind ? SourceStatus.Mirror.BEHIND : SourceStatus.Mirror.GOOD;
  }

  /** The next thing to do with it, if one may be done now. */
  Optional<Effect> next(Map<String, Pair> picture, Revision newest, Instant now) {
    if (busy != 0 || timers.isSet(Timers.Kind.MIRROR)) {
      return Optional.empty();
    }
    reading = false;
    replacing = false;
    if (readWanted) {
      readWanted = false;
      reading = true;
      return Optional.of(new Effect.ReadMirror(begin(now)));
    }
    if (wholeWanted) {
      wholeWanted = false;
      replacing = true;
      return Optional.of(
          new Effect.ReplaceMirror(begin(now), List.copyOf(picture.values()), newest));
    }
    if (!changed.isEmpty()) {
      List<Effect.Change> batch = List.copyOf(changed.values());
      changed.clear();
      return Optional.of(new Effect.ChangeMirror(begin(now), batch, picture.size(), newest));
    }
    return Optional.empty();
  }

  private long begin(Instant now) {
    timers.set(Timers.Kind.MIRROR_LIMIT, now.plus(options.callLimit()));
    busy = ids.getAsLong();
    return busy;
  }

  /** A call has returned; false when nobody waits for it any more. */
  boolean ended(long id) {
    if (id != busy) {
      return false;
    }
    busy = 0;
    looked = true;
    timers.clear(Timers.Kind.MIRROR_LIMIT);
    return true;
  }

  void succeeded() {
    behind = false;
    backoff.succeeded();
  }

  /** It failed, or took too long; the report of it comes back. */
  Failure failed(Failure failure, Instant now) {
    busy = 0;
    looked = true;
    timers.clear(Timers.Kind.MIRROR_LIMIT);
    behind = true;
    changed.clear();
    wholeWanted = writable;
    readWanted = !writable;
    timers.set(Timers.Kind.MIRROR, now.plus(backoff.failed()));
    return failure;
  }

  /** It was empty: it may be filled by another, so it is read again after a pause. */
  void empty(Instant now) {
    if (!writable) {
      readWanted = true;
      timers.set(Timers.Kind.MIRROR, now.plus(backoff.failed()));
    }
  }
}
