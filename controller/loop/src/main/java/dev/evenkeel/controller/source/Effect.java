package dev.evenkeel.controller.source;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.event.Event;
import java.util.List;
import java.util.Optional;

/** What the core of a datastore source wants done; numbered ones are answered with their number. */
sealed interface Effect {
  /** Reads one key, to see whether the store answers. */
  record Probe(long id) implements Effect {}

  /** Makes a syncer and starts it. */
  record StartSync(int generation) implements Effect {}

  /** Stops that syncer. */
  record StopSync(int generation) implements Effect {}

  /** Asks for keys that are missing: are they gone, or can they not be decoded? */
  record Check(long id, List<Key<?>> keys) implements Effect {}

  /** Reads the mirror. */
  record ReadMirror(long id) implements Effect {}

  /** Makes the mirror equal to this. */
  record ReplaceMirror(long id, List<Pair> all, Revision newest) implements Effect {}

  /** Writes changes to the mirror. */
  record ChangeMirror(long id, List<Change> changes, int values, Revision newest)
      implements Effect {}

  /** One change for the mirror: without a pair it is gone. */
  record Change(Key<?> remote, Optional<Pair> pair) {}

  /** Pushes an event. */
  record Push(long id, Event event) implements Effect {}

  /** Pushes the whole state. */
  record PushAll(long id, List<Pair> all, boolean local) implements Effect {}

  /** Pushes all external configuration. */
  record PushExternal(long id, List<Pair> all) implements Effect {}

  /** Tells that something went wrong. */
  record Report(Failure failure) implements Effect {}

  /** Tells that the phase has changed. */
  record Tell(SourceStatus status) implements Effect {}
}
