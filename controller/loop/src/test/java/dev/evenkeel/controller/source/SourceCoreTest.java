package dev.evenkeel.controller.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.SyncStatus;
import dev.evenkeel.api.datastore.Update;
import dev.evenkeel.api.datastore.UpdateType;
import dev.evenkeel.api.event.Direction;
import dev.evenkeel.api.event.ExternalChange;
import dev.evenkeel.api.event.StateChange;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.source.Outbox.Answer;
import dev.evenkeel.controller.source.SourceStatus.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The datastore source's decisions, without thread, clock and stores. */
@DisplayName("The core of the datastore source")
final class SourceCoreTest {
  private static final KeyType<String> EXT = Prefixed.type("/ext", T.TYPE);

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private SourceCore core = core(true);
  private final List<Effect.Report> reports = new ArrayList<>();
  private final List<Phase> phases = new ArrayList<>();
  private int generation;

  private static SourceCore core(boolean mirrored) {
    SourceOptions options = SourceOptions.of("s", LoopConfig.DEFAULT, mirrored);
    return new SourceCore(options, Set.of(T.TYPE, EXT), () -> 0);
  }

  /** What it wants done now, except reports and phases, which are kept. */
  private List<Effect> effects() {
    List<Effect> found = new ArrayList<>();
    Effect effect;
    core.tick(now);
    while ((effect = core.poll(now)) != null) {
      if (effect instanceof Effect.Report report) {
        reports.add(report);
      } else if (effect instanceof Effect.Tell tell) {
        phases.add(tell.status().phase());
      } else {
        if (effect instanceof Effect.StartSync start) {
          generation = start.generation();
        }
        found.add(effect);
      }
    }
    return found;
  }

  private <E extends Effect> E only(Class<E> type) {
    List<Effect> found = effects();
    assertEquals(1, found.size(), found.toString());
    return assertInstanceOf(type, found.get(0));
  }

  /** Polls as far as the first of that type, and no farther. */
  private <E extends Effect> E next(Class<E> type) {
    while (true) {
      Effect effect = core.poll(now);
      assertNotNull(effect, () -> "no " + type);
      if (type.isInstance(effect)) {
        return type.cast(effect);
      }
    }
  }

  private <E extends Effect> E first(List<Effect> effects, Class<E> type) {
    return effects.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private static Update put(Key<String> key, String value, String revision) {
    KeyValue<String> pair = KeyValue.of(key, value).at(new Revision(revision));
    return new Update(pair, UpdateType.UPDATED);
  }

  private static Update gone(Key<String> key) {
    KeyValue<String> pair =
        new KeyValue<>(key, Optional.empty(), Revision.NONE, Optional.empty(), Optional.empty());
    return new Update(pair, UpdateType.DELETED);
  }

  private static Failure down() {
    return Failure.of("store", "get", ErrorKind.UNAVAILABLE, "it is away");
  }

  private static List<String> values(List<Pair> pairs) {
    return pairs.stream().map(p -> p.remote().path() + "=" + p.value()).sorted().toList();
  }

  /** Started, with an empty mirror that was read; the remote answers and has these. */
  private Effect.PushAll inSync(Update... there) {
    core.start(now);
    List<Effect> begun = effects();
    first(begun, Effect.ReadMirror.class);
    core.mirrorRead(first(begun, Effect.ReadMirror.class).id(), List.of(), now);
    core.probed(first(begun, Effect.Probe.class).id(), Optional.empty(), now);
    only(Effect.StartSync.class);
    return synced(there);
  }

  /** The syncer tells these, and that it is in sync; the mirror is written. */
  private Effect.PushAll synced(Update... there) {
    core.status(generation, SyncStatus.RESYNC_IN_PROGRESS, now);
    core.updates(generation, List.of(there));
    core.status(generation, SyncStatus.IN_SYNC, now);
    Effect.ReplaceMirror mirror = only(Effect.ReplaceMirror.class);
    core.mirrorWritten(mirror.id());
    return only(Effect.PushAll.class);
  }

  private void taken(long push) {
    core.pushed(push, Answer.ACCEPTED, now);
    core.ended(false, now);
  }

  @Test
  @DisplayName(
      "EL-46 the mirror stands in when the remote has not come within the delay, with its external values")
  void local() {
    core.start(now);
    List<Effect> begun = effects();
    core.probed(first(begun, Effect.Probe.class).id(), Optional.of(down()), now);
    Key<String> external = Prefixed.of("/ext", new T("e"));
    core.mirrorRead(
        first(begun, Effect.ReadMirror.class).id(),
        List.of(
            new Pair(new T("p1"), "one", Revision.NONE), new Pair(external, "x", Revision.NONE)),
        now);
    pass(Duration.ofMillis(4_999));
    for (Effect effect : effects()) {
      assertInstanceOf(Effect.Probe.class, effect);
    }
    pass(Duration.ofMillis(1));
    Effect.PushAll push = first(effects(), Effect.PushAll.class);
    assertTrue(push.local());
    assertEquals(List.of("/ext/t/e=x", "/t/p1=one"), values(push.all()));
  }

  @Test
  @DisplayName("EL-46 an empty mirror pushes nothing, and is read again")
  void emptyMirror() {
    core.start(now);
    List<Effect> begun = effects();
    core.probed(first(begun, Effect.Probe.class).id(), Optional.of(down()), now);
    core.mirrorRead(first(begun, Effect.ReadMirror.class).id(), List.of(), now);
    pass(Duration.ofSeconds(6));
    List<Effect> later = effects();
    assertTrue(later.stream().noneMatch(Effect.PushAll.class::isInstance), later.toString());
    Effect.ReadMirror again = first(later, Effect.ReadMirror.class);
    core.mirrorRead(again.id(), List.of(new Pair(new T("p"), "v", Revision.NONE)), now);
    assertTrue(first(effects(), Effect.PushAll.class).local());
  }

  @Test
  @DisplayName(
      "DW-5 a mirror that cannot be read is reported, and tried again after growing pauses")
  void mirrorRetried() {
    core.start(now);
    List<Effect> begun = effects();
    core.probed(first(begun, Effect.Probe.class).id(), Optional.of(down()), now);
    long read = first(begun, Effect.ReadMirror.class).id();
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      core.mirrorFailed(read, down(), now);
      Instant failed = now;
      Optional<Effect.ReadMirror> next = Optional.empty();
      while (next.isEmpty()) {
        pass(Duration.ofMillis(100));
        next =
            effects().stream()
                .filter(Effect.ReadMirror.class::isInstance)
                .map(Effect.ReadMirror.class::cast)
                .findFirst();
      }
      read = next.get().id();
      pauses.add(Duration.between(failed, now).toMillis());
    }
    assertEquals(List.of(1000L, 2000L, 4000L), pauses);
    assertEquals(SourceStatus.Mirror.BEHIND, core.status().mirror());
  }

  @Test
  @DisplayName(
      "DW-2 a remote that is in sync before the mirror was looked at waits for what only that knows")
  void mirrorLate() {
    core.start(now);
    core.probed(next(Effect.Probe.class).id(), Optional.empty(), now);
    core.status(next(Effect.StartSync.class).generation(), SyncStatus.IN_SYNC, now);
    Effect.ReadMirror read = only(Effect.ReadMirror.class);
    core.mirrorRead(read.id(), List.of(new Pair(new T("p"), "v", Revision.NONE)), now);
    Effect.Check check = only(Effect.Check.class);
    core.checked(check.id(), List.of(new T("p")), Set.of(), now);
    core.mirrorWritten(only(Effect.ReplaceMirror.class).id());
    assertEquals(List.of("/t/p=v"), values(only(Effect.PushAll.class).all()));
  }

  @Test
  @DisplayName("EL-46 a remote that comes first makes the local resync needless")
  void remoteFirst() {
    inSync(put(new T("a"), "1", "1"));
    pass(Duration.ofMinutes(1));
    assertTrue(effects().stream().noneMatch(Effect.PushAll.class::isInstance));
  }

  @Test
  @DisplayName("EL-47 a failed probe stops the watch; after a good one changes wait for the resync")
  void reconnect() {
    taken(inSync(put(new T("a"), "1", "1")).id());
    pass(Duration.ofSeconds(3));
    Effect.Probe probe = only(Effect.Probe.class);
    core.probed(probe.id(), Optional.of(down()), now);
    assertEquals(generation, only(Effect.StopSync.class).generation());
    assertEquals(Phase.AWAY, core.status().phase());
    // What the old syncer still says, its deletes on stopping too, is not heard.
    core.updates(generation, List.of(gone(new T("a"))));
    pass(Duration.ofSeconds(3));
    core.probed(only(Effect.Probe.class).id(), Optional.empty(), now);
    only(Effect.StartSync.class);
    core.updates(generation, List.of(put(new T("a"), "2", "7")));
    assertEquals(List.of(), effects());
    core.status(generation, SyncStatus.IN_SYNC, now);
    Effect.ReplaceMirror mirror = only(Effect.ReplaceMirror.class);
    assertEquals(new Revision("7"), mirror.newest());
    core.mirrorWritten(mirror.id());
    Effect.PushAll push = only(Effect.PushAll.class);
    assertEquals(List.of("/t/a=2"), values(push.all()));
    taken(push.id());
    core.updates(generation, List.of(put(new T("a"), "stale", "7")));
    assertEquals(List.of(), effects());
    core.updates(generation, List.of(put(new T("a"), "3", "8")));
    StateChange change = (StateChange) first(effects(), Effect.Push.class).event();
    assertEquals(Optional.of("2"), change.previous());
    assertEquals(Optional.of("3"), change.current());
  }

  @Test
  @DisplayName(
      "EL-06 a delete goes in reverse with the value that was known; one of nothing known is dropped")
  void deletes() {
    taken(inSync(put(new T("a"), "1", "1")).id());
    core.updates(generation, List.of(gone(new T("a")), gone(new T("nobody"))));
    List<Effect> done = effects();
    StateChange change = (StateChange) first(done, Effect.Push.class).event();
    assertEquals(Optional.of("1"), change.previous());
    assertEquals(Optional.empty(), change.current());
    assertEquals(Direction.REVERSE, change.spec().direction());
    assertEquals(1, done.stream().filter(Effect.Push.class::isInstance).count());
  }

  @Test
  @DisplayName("DW-7 a deleted key does not come back by the write that had made it")
  void tombstone() {
    taken(inSync(put(new T("a"), "1", "5")).id());
    core.updates(generation, List.of(gone(new T("a"))));
    taken(first(effects(), Effect.Push.class).id());
    core.updates(generation, List.of(put(new T("a"), "1", "5")));
    assertEquals(0, core.status().values());
    core.updates(generation, List.of(put(new T("a"), "1", "6")));
    assertEquals(1, core.status().values());
  }

  @Test
  @DisplayName("DW-9 what is of no known kind, type or class never becomes an event")
  void unknown() {
    taken(inSync().id());
    KeyType<String> strange = KeyType.of("x", "/x/", String.class, path -> Optional.empty());
    Key<String> key =
        new Key<>() {
          @Override
          public String path() {
            return "/x/1";
          }

          @Override
          public KeyType<String> type() {
            return strange;
          }
        };
    KeyValue<String> nothing =
        new KeyValue<>(
            new T("n"), Optional.empty(), new Revision("9"), Optional.empty(), Optional.empty());
    core.updates(
        generation,
        List.of(
            put(key, "v", "1"),
            new Update(nothing, UpdateType.NEW),
            new Update(KeyValue.of(new T("u"), "v"), UpdateType.UNKNOWN)));
    assertEquals(List.of(), effects());
    assertEquals(3, reports.size());
  }

  @Test
  @DisplayName(
      "DW-2 a key that a snapshot leaves out since it cannot be decoded keeps its value, until it is gone")
  void undecodable() {
    taken(inSync(put(new T("bad"), "good", "1"), put(new T("old"), "v", "2")).id());
    pass(Duration.ofSeconds(3));
    core.probed(only(Effect.Probe.class).id(), Optional.of(down()), now);
    pass(Duration.ofSeconds(3));
    core.probed(first(effects(), Effect.Probe.class).id(), Optional.empty(), now);
    effects();
    core.status(generation, SyncStatus.IN_SYNC, now);
    Effect.Check check = only(Effect.Check.class);
    assertEquals(List.of(new T("bad"), new T("old")), check.keys());
    core.checked(check.id(), List.of(new T("bad")), Set.of("/t/old"), now);
    core.mirrorWritten(only(Effect.ReplaceMirror.class).id());
    Effect.PushAll push = only(Effect.PushAll.class);
    assertEquals(List.of("/t/bad=good"), values(push.all()));
    assertEquals(Set.of("/t/bad"), core.status().invalid());
    taken(push.id());
    // The new syncer does not know it, so nobody else would tell when it goes.
    pass(Duration.ofSeconds(3));
    core.probed(only(Effect.Probe.class).id(), Optional.empty(), now);
    core.checked(only(Effect.Check.class).id(), List.of(), Set.of("/t/bad"), now);
    StateChange change = (StateChange) first(effects(), Effect.Push.class).event();
    assertEquals(Optional.of("good"), change.previous());
    assertEquals(Set.of(), core.status().invalid());
  }

  @Test
  @DisplayName("EL-48 what is missing and cannot be asked for is tried again with growing pauses")
  void checkRetried() {
    taken(inSync(put(new T("a"), "1", "1")).id());
    pass(Duration.ofSeconds(3));
    core.probed(only(Effect.Probe.class).id(), Optional.of(down()), now);
    pass(Duration.ofSeconds(3));
    core.probed(first(effects(), Effect.Probe.class).id(), Optional.empty(), now);
    effects();
    core.status(generation, SyncStatus.IN_SYNC, now);
    List<Long> pauses = new ArrayList<>();
    Effect.Check check = only(Effect.Check.class);
    for (int i = 0; i < 7; i++) {
      core.checkFailed(check.id(), down(), now);
      assertEquals(List.of(), effects());
      pauses.add(Duration.between(now, core.next().orElseThrow()).toMillis());
      now = core.next().orElseThrow();
      check = only(Effect.Check.class);
    }
    assertEquals(List.of(1000L, 2000L, 4000L, 8000L, 16_000L, 30_000L, 30_000L), pauses);
    core.checked(check.id(), List.of(), Set.of("/t/a"), now);
    core.mirrorWritten(only(Effect.ReplaceMirror.class).id());
    assertEquals(List.of(), values(only(Effect.PushAll.class).all()));
  }

  @Test
  @DisplayName("EL-50 an overflow of the change buffer becomes one resync with the final state")
  void overflow() {
    core = core(false);
    core.start(now);
    core.probed(first(effects(), Effect.Probe.class).id(), Optional.empty(), now);
    effects();
    core.status(generation, SyncStatus.IN_SYNC, now);
    Effect.PushAll first = only(Effect.PushAll.class);
    core.pushed(first.id(), Answer.FULL, now);
    now = now.plusMillis(10);
    Effect.PushAll second = only(Effect.PushAll.class);
    core.pushed(second.id(), Answer.ACCEPTED, now);
    for (int i = 0; i < 100; i++) {
      core.updates(generation, List.of(put(new T("k" + i), "v", "r" + i)));
    }
    for (Effect effect : effects()) {
      core.pushed(((Effect.Push) effect).id(), Answer.FULL, now);
    }
    for (int i = 0; i < 3000; i++) {
      core.updates(generation, List.of(put(new T("k" + i), "w", "s" + i)));
    }
    pass(Duration.ofSeconds(1));
    Effect.PushAll resync = only(Effect.PushAll.class);
    assertEquals(3000, resync.all().size());
    assertTrue(resync.all().stream().allMatch(pair -> pair.value().equals("w")));
    assertEquals(1, core.status().overflows());
    taken(resync.id());
    assertEquals(List.of(), effects());
  }

  @Test
  @DisplayName("an overflow of external configuration alone replaces that alone")
  void externalOverflow() {
    taken(inSync(put(new T("a"), "1", "1")).id());
    core.updates(generation, List.of(put(Prefixed.of("/ext", new T("x")), "v", "2")));
    Effect.Push push = first(effects(), Effect.Push.class);
    assertInstanceOf(ExternalChange.class, push.event());
    core.pushed(push.id(), Answer.FULL, now);
    for (int i = 0; i < 1001; i++) {
      core.updates(generation, List.of(put(Prefixed.of("/ext", new T("x" + i)), "v", "e" + i)));
    }
    pass(Duration.ofSeconds(1));
    assertEquals(1002, first(effects(), Effect.PushExternal.class).all().size());
  }

  @Test
  @DisplayName("changes that the loop has no room for wait in their order, coalesced by key")
  void coalesces() {
    taken(inSync(put(new T("a"), "0", "0")).id());
    core.updates(generation, List.of(put(new T("a"), "1", "1")));
    Effect.Push push = first(effects(), Effect.Push.class);
    core.updates(generation, List.of(put(new T("b"), "1", "2"), put(new T("a"), "2", "3")));
    core.updates(generation, List.of(put(new T("c"), "1", "4"), gone(new T("c"))));
    core.pushed(push.id(), Answer.FULL, now);
    assertEquals(List.of(), effects());
    pass(Duration.ofMillis(10));
    List<String> told = new ArrayList<>();
    for (Optional<Effect.Push> next = nextPush(); next.isPresent(); next = nextPush()) {
      StateChange change = (StateChange) next.get().event();
      told.add(change.key() + change.previous() + change.current());
      taken(next.get().id());
    }
    assertEquals(List.of("/t/aOptional[0]Optional[2]", "/t/bOptional.emptyOptional[1]"), told);
    assertEquals(2, core.status().coalesced());
  }

  private Optional<Effect.Push> nextPush() {
    return effects().stream()
        .filter(Effect.Push.class::isInstance)
        .map(Effect.Push.class::cast)
        .findFirst();
  }

  @Test
  @DisplayName("changes that have waited too long become one resync")
  void stuck() {
    core = core(false);
    core.start(now);
    core.probed(first(effects(), Effect.Probe.class).id(), Optional.empty(), now);
    effects();
    core.status(generation, SyncStatus.IN_SYNC, now);
    taken(only(Effect.PushAll.class).id());
    core.updates(generation, List.of(put(new T("a"), "1", "1"), put(new T("b"), "1", "2")));
    Instant end = now.plusSeconds(11);
    boolean whole = false;
    while (!whole && now.isBefore(end)) {
      for (Effect effect : effects()) {
        if (effect instanceof Effect.Push push) {
          core.pushed(push.id(), Answer.FULL, now);
        } else if (effect instanceof Effect.Probe probe) {
          core.probed(probe.id(), Optional.empty(), now);
        } else {
          assertEquals(2, ((Effect.PushAll) effect).all().size());
          whole = true;
        }
      }
      pass(Duration.ofMillis(250));
    }
    assertTrue(whole);
  }

  @Test
  @DisplayName(
      "DW-6 a failed write to the mirror is reported, and answered by writing all of it anew")
  void mirrorFails() {
    taken(inSync(put(new T("a"), "1", "1")).id());
    core.updates(generation, List.of(put(new T("b"), "2", "2")));
    List<Effect> both = effects();
    taken(first(both, Effect.Push.class).id());
    core.mirrorFailed(first(both, Effect.ChangeMirror.class).id(), down(), now);
    assertEquals(List.of(), effects());
    assertEquals("source s", reports.get(reports.size() - 1).failure().owner());
    assertEquals(SourceStatus.Mirror.BEHIND, core.status().mirror());
    // Meanwhile the loop is told: a full disk near by does not stop the controller.
    core.updates(generation, List.of(put(new T("c"), "3", "3")));
    taken(only(Effect.Push.class).id());
    pass(Duration.ofSeconds(1));
    Effect.ReplaceMirror whole = only(Effect.ReplaceMirror.class);
    assertEquals(List.of("/t/a=1", "/t/b=2", "/t/c=3"), values(whole.all()));
    core.mirrorWritten(whole.id());
    assertEquals(SourceStatus.Mirror.GOOD, core.status().mirror());
  }

  @Test
  @DisplayName("DW-8 a mirror that does not answer holds the resync back for its limit only")
  void mirrorHangs() {
    core.start(now);
    List<Effect> begun = effects();
    core.probed(first(begun, Effect.Probe.class).id(), Optional.empty(), now);
    effects();
    core.mirrorRead(first(begun, Effect.ReadMirror.class).id(), List.of(), now);
    core.updates(generation, List.of(put(new T("a"), "1", "1")));
    core.status(generation, SyncStatus.IN_SYNC, now);
    only(Effect.ReplaceMirror.class);
    pass(Duration.ofSeconds(29));
    assertTrue(effects().stream().noneMatch(Effect.PushAll.class::isInstance));
    pass(Duration.ofSeconds(1));
    assertEquals(List.of("/t/a=1"), values(first(effects(), Effect.PushAll.class).all()));
  }

  @Test
  @DisplayName("DW-8 a probe that does not answer counts as failed, and a late answer is not heard")
  void probeHangs() {
    taken(inSync(put(new T("a"), "1", "1")).id());
    pass(Duration.ofSeconds(3));
    Effect.Probe hung = only(Effect.Probe.class);
    pass(Duration.ofSeconds(3));
    only(Effect.StopSync.class);
    core.probed(hung.id(), Optional.empty(), now);
    assertEquals(Phase.AWAY, core.status().phase());
  }

  @Test
  @DisplayName("JT-20 lost sync shows in the status, and ends in one resync after the mirror")
  void lost() {
    taken(inSync(put(new T("a"), "1", "1")).id());
    core.status(generation, SyncStatus.RESYNC_IN_PROGRESS, now);
    core.updates(generation, List.of(put(new T("a"), "2", "2"), put(new T("b"), "1", "3")));
    assertEquals(List.of(), effects());
    assertEquals(Phase.SYNCING, core.status().phase());
    Effect.PushAll push = synced();
    assertEquals(List.of("/t/a=2", "/t/b=1"), values(push.all()));
    taken(push.id());
    assertEquals(List.of(), effects());
  }

  @Test
  @DisplayName("a loop that stands by, or that drops an event, is given a whole resync later")
  void standby() {
    core.pushed(99, Answer.ACCEPTED, now);
    Effect.PushAll push = inSync(put(new T("a"), "1", "1"));
    core.pushed(push.id(), Answer.STANDBY, now);
    core.updates(generation, List.of(put(new T("a"), "2", "2")));
    Effect.ChangeMirror mirror = only(Effect.ChangeMirror.class);
    core.mirrorWritten(mirror.id());
    pass(Duration.ofSeconds(3));
    Effect.PushAll again = first(effects(), Effect.PushAll.class);
    assertEquals(List.of("/t/a=2"), values(again.all()));
    core.pushed(again.id(), Answer.ACCEPTED, now);
    core.ended(true, now);
    assertTrue(effects().stream().noneMatch(Effect.PushAll.class::isInstance));
    pass(Duration.ofSeconds(3));
    assertEquals(List.of("/t/a=2"), values(first(effects(), Effect.PushAll.class).all()));
  }

  @Test
  @DisplayName("what comes after close changes nothing")
  void closed() {
    inSync(put(new T("a"), "1", "1"));
    core.close();
    core.close();
    core.updates(generation, List.of(put(new T("b"), "1", "2")));
    core.status(generation, SyncStatus.RESYNC_IN_PROGRESS, now);
    core.start(now);
    pass(Duration.ofMinutes(10));
    assertEquals(generation, only(Effect.StopSync.class).generation());
    assertEquals(Phase.CLOSED, core.status().phase());
    assertEquals(Optional.empty(), core.next());
  }
}
