package dev.evenkeel.datastore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.datastore.ConversionException;
import dev.evenkeel.api.datastore.DatastoreException;
import dev.evenkeel.api.datastore.KeyValue;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.datastore.Revision;
import dev.evenkeel.api.datastore.Syncer;
import dev.evenkeel.api.datastore.SyncerOptions;
import dev.evenkeel.api.datastore.SyncerOptions.ParsePolicy;
import dev.evenkeel.api.datastore.SyncerOptions.StatusMode;
import dev.evenkeel.api.datastore.SyncerOptions.UpdateProcessor;
import dev.evenkeel.api.datastore.WatchEvent;
import dev.evenkeel.datastore.FakeStore.FakeWatch;
import dev.evenkeel.datastore.FakeStore.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sections 5 to 7 of the datastore reference, on a store that answers what the test says. */
@Timeout(60)
class SyncerTest {
  private static final Duration RETRY = Duration.ofMillis(40);
  private static final Duration POLL = Duration.ofMillis(120);

  private final FakeStore store = new FakeStore();
  private final Kind one = store.one;
  private final Kind two = store.two;
  private final Kind three = store.three;
  private final Consumer.Parsing consumer = new Consumer.Parsing();
  private final List<Syncer> started = new ArrayList<>();

  @AfterEach
  void end() {
    consumer.gate.release(1_000);
    started.forEach(Syncer::stop);
    consumer.log();
    assertEquals(0, consumer.picture().size(), "everything known is taken back");
  }

  private static SyncerOptions options(
      StatusMode mode, ParsePolicy policy, SyncerOptions.Source<?>... sources) {
    return new SyncerOptions(Arrays.asList(sources), mode, policy, RETRY, POLL);
  }

  private Syncer start(SyncerOptions options) {
    Syncer syncer = new WatcherSyncer(store, options, consumer);
    started.add(syncer);
    syncer.start();
    return syncer;
  }

  private Syncer start(Kind... kinds) {
    return start(
        options(
            StatusMode.REGRESSING,
            ParsePolicy.DELETE,
            Arrays.stream(kinds).map(FakeStore::source).toArray(SyncerOptions.Source<?>[]::new)));
  }

  private static void add(FakeWatch watch, KeyValue<String> pair) {
    watch.out.onEvent(new WatchEvent.Added<>(pair));
  }

  private static void modify(FakeWatch watch, KeyValue<String> pair) {
    watch.out.onEvent(new WatchEvent.Modified<>(Optional.empty(), pair));
  }

  private static void delete(FakeWatch watch, KeyValue<String> pair, String at) {
    watch.out.onEvent(new WatchEvent.Deleted<>(pair.key(), Optional.of(pair), new Revision(at)));
  }

  private static void spoil(FakeWatch watch, KeyValue<String> pair) {
    watch.out.onEvent(
        new WatchEvent.Unparsable<>(
            Optional.of(pair.key()),
            pair.key().path(),
            Optional.of(new byte[] {1, 2, 3}),
            pair.revision()));
  }

  /** Starts with one kind in sync on these pairs, and forgets what was told of it. */
  private FakeWatch synced(String... pairs) throws InterruptedException {
    one.list("10", pairs);
    start(one);
    FakeWatch watch = one.awaitWatch();
    Consumer.await(() -> consumer.log().contains("st:in-sync"), () -> "" + consumer.log());
    return watch;
  }

  private List<String> since(String mark) {
    List<String> log = consumer.log();
    return log.subList(log.lastIndexOf(mark) + 1, log.size());
  }

  private void awaitSince(String mark, String... lines) {
    List<String> wanted = List.of(lines);
    Consumer.await(
        () -> since(mark).equals(wanted), () -> wanted + " at the end of " + consumer.log());
  }

  @Test
  @DisplayName("SY-32 empty lists of three kinds: three statuses and no updates")
  void statuses() {
    start(one, two, three);
    consumer.awaitLog("st:wait-for-ready");
    one.list("1");
    consumer.awaitLog("st:wait-for-ready", "st:resync");
    two.list("1");
    Consumer.await(() -> two.lists() == 1 && !two.watches.isEmpty(), () -> "a watch");
    consumer.awaitLog("st:wait-for-ready", "st:resync");
    three.list("1");
    consumer.awaitLog("st:wait-for-ready", "st:resync", "st:in-sync");
  }

  @Test
  @DisplayName("SY-33 SY-34 a kind that cannot be watched is listed once for each poll interval")
  void polled() throws InterruptedException {
    for (int i = 0; i < 6; i++) {
      one.list("1", "a@1");
    }
    for (int i = 0; i < 3; i++) {
      one.watchFails(new DatastoreException.NotSupported("watch", "/one/", "no"));
      if (i < 2) {
        one.watchFails(new DatastoreException.DoesNotExist("/one/"));
      }
    }
    start(one);
    FakeWatch watch = one.awaitWatch();
    assertEquals(6, one.lists());
    List<Long> times = one.listTimes;
    for (int i = 1; i < 6; i++) {
      assertTrue(times.get(i) - times.get(i - 1) >= POLL.toNanos());
    }
    assertTrue(times.get(5) - times.get(0) < 5 * POLL.toNanos() * 10, "no back-off when polling");
    consumer.awaitLog("st:wait-for-ready", "st:resync", "new a@1", "st:in-sync");
    add(watch, one.pair("b@2"));
    awaitSince("st:in-sync", "new b@2");
  }

  @Test
  @DisplayName("SY-38 a kind that cannot be watched yet waits its polls, and holds no other up")
  void polledBesideFailing() throws InterruptedException {
    one.listFails(1);
    one.list("1", "a@1");
    for (int i = 0; i < 3; i++) {
      two.list("1", "c@1");
    }
    two.watchFails(new DatastoreException.NotSupported("watch", "/two/", "no"));
    two.watchFails(new DatastoreException.NotSupported("watch", "/two/", "no"));
    start(one, two);
    one.awaitWatch();
    two.awaitWatch();
    assertEquals(3, two.lists(), "one list for each watch");
    assertTrue(two.listTimes.get(2) - two.listTimes.get(0) >= 2 * POLL.toNanos(), "two polls");
    assertEquals(2, one.lists(), "one failure, one success: nothing of the other's");
  }

  @Test
  @DisplayName("SY-38 a kind that waits a day for its next poll holds no other up")
  void polledRarely() throws InterruptedException {
    one.list("1", "a@1");
    two.list("1", "c@1");
    two.watchFails(new DatastoreException.NotSupported("watch", "/two/", "no"));
    start(
        new SyncerOptions(
            List.of(FakeStore.source(one), FakeStore.source(two)),
            StatusMode.REGRESSING,
            ParsePolicy.DELETE,
            RETRY,
            Duration.ofDays(1)));
    FakeWatch watch = one.awaitWatch();
    Consumer.await(() -> consumer.log().contains("st:in-sync"), () -> "" + consumer.log());
    add(watch, one.pair("b@2"));
    awaitSince("st:in-sync", "new b@2");
  }

  @Test
  @DisplayName("SY-35 a failing list is retried with growing pauses, and the status waits")
  void listRetry() throws InterruptedException {
    one.listFails(3);
    start(one);
    Consumer.await(() -> one.lists() == 4, () -> "four lists");
    consumer.awaitLog("st:wait-for-ready");
    one.list("1");
    one.awaitWatch();
    List<Long> times = one.listTimes;
    for (int i = 1; i < 4; i++) {
      assertTrue(times.get(i) - times.get(i - 1) >= RETRY.toNanos() << (i - 1), "pause " + i);
    }
  }

  @Test
  @DisplayName("SY-36 what the first lists hold comes as new before in-sync, in list order")
  void firstLists() {
    one.list("5", "b@1", "a@1");
    start(one, two);
    consumer.awaitLog("st:wait-for-ready", "st:resync", "new b@1", "new a@1");
    two.list("6", "c@1");
    consumer.awaitLog(
        "st:wait-for-ready", "st:resync", "new b@1", "new a@1", "new c@1", "st:in-sync");
  }

  @Test
  @DisplayName("SY-39 with no kinds at all it is in sync at once")
  void noKinds() {
    start();
    consumer.awaitLog("st:wait-for-ready", "st:resync", "st:in-sync");
  }

  @Test
  @DisplayName("SY-41 a failed watch: closed once, listed and watched anew without a pause")
  void watchFails() throws InterruptedException {
    FakeWatch first = synced("a@1");
    one.list("12", "a@1", "b@11");
    first.fail();
    one.awaitWatch();
    awaitSince("new a@1", "st:in-sync", "st:resync", "new b@11", "st:in-sync");
    assertEquals(1, first.closes.get());
    assertEquals(List.of(new Revision("10"), new Revision("12")), one.watchRevisions);
  }

  @Test
  @DisplayName("SY-41 latched, the status stays in sync")
  void latched() throws InterruptedException {
    one.list("10", "a@1");
    start(options(StatusMode.LATCHED, ParsePolicy.DELETE, FakeStore.source(one)));
    FakeWatch first = one.awaitWatch();
    one.list("12", "b@11");
    first.fail();
    one.awaitWatch();
    consumer.awaitLog(
        "st:wait-for-ready", "st:resync", "new a@1", "st:in-sync", "new b@11", "del a");
  }

  @Test
  @DisplayName("SY-42 SY-45 a second list gives what is new, then what is gone, and no more")
  void relist() throws InterruptedException {
    FakeWatch first = synced("a@1", "b@1", "c@1");
    one.list("12", "a@1", "c@1", "d@1");
    first.fail();
    add(one.awaitWatch(), one.pair("e@13"));
    awaitSince("st:resync", "new d@1", "del b", "st:in-sync", "new e@13");
  }

  @Test
  @DisplayName("SY-44 deleted and made again while the watch was down: updated")
  void recreated() throws InterruptedException {
    FakeWatch first = synced("a@1");
    one.list("12", "a@11");
    first.fail();
    awaitSince("st:resync", "upd a@11", "st:in-sync");
  }

  @Test
  @DisplayName("SY-46 a watch that ends silently goes on from its last revision without a list")
  void silentEnd() throws InterruptedException {
    FakeWatch first = synced("a@1");
    add(first, one.pair("b@11"));
    first.end();
    FakeWatch second = one.awaitWatch();
    add(second, one.pair("c@12"));
    awaitSince("st:in-sync", "new b@11", "new c@12");
    assertEquals(new Revision("11"), one.watchRevisions.get(1));
    assertEquals(1, one.lists());
    delete(second, one.pair("c@12"), "13");
    second.out.onEvent(new WatchEvent.Progress<>(new Revision("20")));
    second.end();
    one.awaitWatch();
    assertEquals(new Revision("20"), one.watchRevisions.get(2), "delete and progress count (Q1)");
  }

  @Test
  @DisplayName("Q4 watches that end empty again and again lead to a full resync, with pauses")
  void emptyWatches() throws InterruptedException {
    FakeWatch watch = synced("a@1");
    one.list("12", "a@1");
    for (int i = 0; i < 5; i++) {
      watch.end();
      watch = one.awaitWatch();
    }
    assertEquals(2, one.lists());
    assertEquals(new Revision("12"), one.watchRevisions.get(5));
  }

  @Test
  @DisplayName("SY-48 Q2 every list asks for the latest, also after the watch cannot be made")
  void tooOld() throws InterruptedException {
    one.list("10");
    one.listFails(1);
    one.list("12", "a@11");
    one.watchFails(DatastoreException.failed("/one/", "no", null));
    start(one);
    one.awaitWatch();
    Consumer.await(() -> consumer.picture().size() == 1, () -> "" + consumer.log());
    assertEquals(List.of(Revision.NONE, Revision.NONE, Revision.NONE), one.listRevisions);
  }

  @Test
  @DisplayName("SY-50 SY-51 while a list fails nothing known is deleted")
  void listFailsLater() throws InterruptedException {
    FakeWatch first = synced("a@1", "b@1");
    one.listFails(2);
    first.fail();
    Consumer.await(() -> one.lists() == 4, () -> "the second list and its retries");
    awaitSince("st:in-sync", "st:resync");
    one.list("12", "a@1");
    awaitSince("st:resync", "del b", "st:in-sync");
  }

  @Test
  @DisplayName("SY-52 a kind that always fails holds no other up")
  void independent() throws InterruptedException {
    one.listFails(1_000);
    two.list("1");
    start(one, two);
    FakeWatch watch = two.awaitWatch();
    for (int i = 0; i < 20; i++) {
      add(watch, two.pair("n" + i + "@" + (i + 2)));
    }
    Consumer.await(() -> consumer.picture().size() == 20, () -> "" + consumer.log());
  }

  @Test
  @DisplayName("SY-54 what comes while the callback is busy is one batch, in order")
  void batch() throws InterruptedException {
    FakeWatch watch = synced();
    consumer.gate.drainPermits();
    add(watch, one.pair("a@11"));
    Consumer.await(() -> consumer.entered.get() == 1, () -> "the callback is inside");
    add(watch, one.pair("b@12"));
    add(watch, one.pair("c@13"));
    modify(watch, one.pair("b@14"));
    watch.end();
    // The cache has handed all of it over when it asks for the next watch.
    one.awaitWatch();
    consumer.gate.release(10);
    Consumer.await(() -> consumer.batches().size() == 2, () -> "" + consumer.batches());
    assertEquals(
        List.of(List.of("new a@11"), List.of("new b@12", "new c@13", "upd b@14")),
        consumer.batches());
  }

  @Test
  @DisplayName("SY-55 five thousand events behind a busy callback: bounded batches, all in order")
  void manyEvents() throws InterruptedException {
    FakeWatch watch = synced();
    consumer.gate.drainPermits();
    AtomicInteger sent = new AtomicInteger();
    Thread producer =
        new Thread(
            () -> {
              for (int i = 0; i < 5_000; i++) {
                add(watch, one.pair("n" + i + "@" + (100 + i)));
                sent.incrementAndGet();
              }
            });
    producer.start();
    Consumer.await(() -> producer.getState() == Thread.State.WAITING, () -> "back-pressure");
    assertTrue(sent.get() < 3_500, "memory is bounded: " + sent.get());
    consumer.gate.release(1_000);
    producer.join();
    Consumer.await(() -> consumer.picture().size() == 5_000, () -> "all");
    int next = 0;
    for (List<String> batch : consumer.batches()) {
      assertTrue(batch.size() <= 1_001, "batch of " + batch.size());
      for (String line : batch) {
        assertEquals("new n" + next + "@" + (100 + next), line);
        next++;
      }
    }
  }

  @Test
  @DisplayName("SY-56 SY-58 the consumer's knowledge decides what an event is")
  void kinds() throws InterruptedException {
    FakeWatch watch = synced();
    add(watch, one.pair("a@11"));
    modify(watch, one.pair("a@11"));
    modify(watch, one.pair("a@12"));
    add(watch, one.pair("a@13"));
    delete(watch, one.pair("a@13"), "14");
    delete(watch, one.pair("a@13"), "15");
    delete(watch, one.pair("x@13"), "16");
    add(watch, one.pair("z@17"));
    awaitSince("st:in-sync", "new a@11", "upd a@12", "upd a@13", "del a", "new z@17");
  }

  @Test
  @DisplayName("SY-62 SY-63 an undecodable value: deleted and reported, and the watch goes on")
  void unparsable() throws InterruptedException {
    FakeWatch watch = synced("a@1");
    spoil(watch, one.pair("a@11"));
    spoil(watch, one.pair("u@12"));
    add(watch, one.pair("b@13"));
    modify(watch, one.pair("a@14"));
    awaitSince("st:in-sync", "del a", "failed /one/a 3", "failed /one/u 3", "new b@13", "new a@14");
    assertEquals(1, one.lists());
  }

  @Test
  @DisplayName("DW-2 where the last value is to be kept, an undecodable one is reported only")
  void keepLast() throws InterruptedException {
    one.list("10", "a@1", "b@1");
    start(options(StatusMode.REGRESSING, ParsePolicy.KEEP_LAST, FakeStore.source(one)));
    FakeWatch watch = one.awaitWatch();
    spoil(watch, one.pair("a@11"));
    awaitSince("st:in-sync", "failed /one/a 3");
    // A list leaves out what cannot be decoded, and what is gone: asking tells them apart.
    one.gets.add(new DatastoreException.ParsingEntry("/one/a", new byte[] {1, 2, 3}, null));
    one.list("12");
    watch.fail();
    watch = one.awaitWatch();
    awaitSince("st:resync", "failed /one/a 3", "del b", "st:in-sync");
    modify(watch, one.pair("a@13"));
    awaitSince("st:in-sync", "upd a@13");
  }

  @Test
  @DisplayName("SY-61 a callback that cannot be told of failures misses nothing else")
  void noParsing() throws InterruptedException {
    Consumer plain = new Consumer();
    one.list("10", "a@1");
    Syncer syncer =
        new WatcherSyncer(
            store,
            options(StatusMode.REGRESSING, ParsePolicy.DELETE, FakeStore.source(one)),
            plain);
    syncer.start();
    spoil(one.awaitWatch(), one.pair("a@11"));
    plain.awaitLog("st:wait-for-ready", "st:resync", "new a@1", "st:in-sync", "del a");
    syncer.stop();
  }

  /** Passes on what it is not told to filter, twice over, and fails on one name. */
  private final class Doubling implements UpdateProcessor<String> {
    final AtomicInteger starts = new AtomicInteger();

    @Override
    public List<KeyValue<?>> process(KeyValue<String> pair) {
      String name = pair.key().path().substring(5);
      if (name.equals("bad") && pair.value().isPresent()) {
        throw new IllegalStateException("cannot convert");
      }
      boolean relevant = pair.value().filter(v -> !v.equals("v13")).isPresent();
      return relevant
          ? List.of(pair, KeyValue.of(one.key(name + "-2"), "x").at(pair.revision()))
          : List.of(KnownPairs.gone(one.key(name)), KnownPairs.gone(one.key(name + "-2")));
    }

    @Override
    public void onSyncerStarting() {
      starts.incrementAndGet();
    }
  }

  @Test
  @DisplayName(
      "SY-65 SY-66 SY-67 a processor filters and multiplies; where it fails only that goes")
  void processor() throws InterruptedException {
    Doubling doubling = new Doubling();
    one.list("10", "a@1", "bad@1");
    start(
        options(
            StatusMode.REGRESSING,
            ParsePolicy.DELETE,
            new SyncerOptions.Source<>(ListOptions.all(one.type), Optional.of(doubling))));
    FakeWatch watch = one.awaitWatch();
    consumer.awaitLog(
        "st:wait-for-ready", "st:resync", "new a@1", "new a-2@1", "failed /one/bad", "st:in-sync");
    modify(watch, one.pair("a@13"));
    modify(watch, one.pair("a@14"));
    awaitSince("st:in-sync", "del a", "del a-2", "new a@14", "new a-2@14");
    watch.end();
    watch = one.awaitWatch();
    assertEquals(1, doubling.starts.get(), "a silent end tells it nothing");
    spoil(watch, one.pair("a@15"));
    awaitSince("new a-2@14", "del a", "del a-2", "failed /one/a 3");
    one.list("20");
    watch.fail();
    one.awaitWatch();
    assertEquals(2, doubling.starts.get());
  }

  /** Deletes two, and reports another, when one is deleted. */
  private final class DeletesAndReports implements UpdateProcessor<String> {
    @Override
    public List<KeyValue<?>> process(KeyValue<String> pair) {
      if (pair.value().isEmpty()) {
        throw new ConversionException(
            "k2",
            Optional.of(new byte[] {7, 7}),
            List.of(KnownPairs.gone(one.key("a")), KnownPairs.gone(one.key("b"))),
            "the example says so",
            null);
      }
      return List.of(pair);
    }
  }

  @Test
  @DisplayName("SY-60 a processor deletes and fails in one answer: each is told, once")
  void deletesAndReports() throws InterruptedException {
    one.list("10", "a@1");
    start(
        options(
            StatusMode.REGRESSING,
            ParsePolicy.DELETE,
            new SyncerOptions.Source<>(
                ListOptions.all(one.type), Optional.of(new DeletesAndReports()))));
    FakeWatch watch = one.awaitWatch();
    consumer.awaitLog("st:wait-for-ready", "st:resync", "new a@1", "st:in-sync");
    delete(watch, one.pair("a@1"), "11");
    awaitSince("st:in-sync", "del a", "failed k2 2");
    add(watch, one.pair("b@12"));
    awaitSince("failed k2 2", "new b@12");
  }

  @Test
  @DisplayName("7.4 of two sources of one target the next takes over, also when one is spoilt")
  void conflict() throws InterruptedException {
    one.list("10", "a@1", "b@2");
    start(
        options(
            StatusMode.REGRESSING,
            ParsePolicy.DELETE,
            new SyncerOptions.Source<>(
                ListOptions.all(one.type),
                Optional.of(
                    Processors.resolvingConflicts(
                        one.type,
                        pair ->
                            Optional.of(
                                KeyValue.of(one.key("t"), pair.value().orElseThrow())
                                    .at(pair.revision())))))));
    FakeWatch watch = one.awaitWatch();
    consumer.awaitLog("st:wait-for-ready", "st:resync", "new t@1", "st:in-sync");
    spoil(watch, one.pair("a@11"));
    awaitSince("st:in-sync", "upd t@2", "failed /one/a 3");
    modify(watch, one.pair("a@12"));
    awaitSince("failed /one/a 3", "upd t@12");
    delete(watch, one.pair("a@12"), "13");
    delete(watch, one.pair("b@2"), "14");
    awaitSince("upd t@12", "upd t@2", "del t");
  }

  @Test
  @DisplayName("SY-68 a stop takes everything back, ends the watches and all threads")
  void stop() throws InterruptedException {
    two.list("5", "b@1", "c@1");
    one.list("5", "a@1");
    Syncer syncer = start(one, two);
    FakeWatch first = one.awaitWatch();
    FakeWatch second = two.awaitWatch();
    Consumer.await(() -> consumer.log().contains("st:in-sync"), () -> "" + consumer.log());
    syncer.stop();
    List<String> last = new ArrayList<>(since("st:in-sync"));
    last.sort(null);
    assertEquals(List.of("del a", "del b", "del c"), last);
    assertEquals(1, first.closes.get());
    assertEquals(1, second.closes.get());
    Consumer.await(SyncerTest::noThreads, () -> "all threads end");
  }

  private static boolean noThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().startsWith("evenkeel-syncer"));
  }

  @Test
  @DisplayName("SY-69 SY-70 a stop does not wait for a list or a pause")
  void stopWaiting() throws InterruptedException {
    one.listFails(0);
    two.list("1", "b@1");
    two.watchFails(new DatastoreException.NotSupported("watch", "/two/", "no"));
    Syncer syncer =
        new WatcherSyncer(
            store,
            new SyncerOptions(
                List.of(FakeStore.source(one), FakeStore.source(two)),
                StatusMode.REGRESSING,
                ParsePolicy.DELETE,
                RETRY,
                Duration.ofMinutes(5)),
            consumer);
    syncer.start();
    Consumer.await(
        () -> one.lists() == 1 && consumer.picture().size() == 1, () -> "both at their waits");
    long begun = System.nanoTime();
    syncer.stop();
    assertTrue(System.nanoTime() - begun < 5_000_000_000L);
    assertTrue(one.listCalls.get(0).isCancelled());
    assertEquals("del b", consumer.log().get(consumer.log().size() - 1));
  }

  @Test
  @DisplayName("SY-72 a stop waits for the callback that runs, and loses no delete")
  void stopBusy() throws InterruptedException {
    FakeWatch watch = synced("a@1");
    consumer.gate.drainPermits();
    add(watch, one.pair("b@11"));
    Consumer.await(() -> consumer.entered.get() == 2, () -> "the callback is inside");
    Thread stopping = new Thread(started.get(0)::stop);
    stopping.start();
    Consumer.await(() -> stopping.getState() == Thread.State.WAITING, () -> "the stop waits");
    consumer.gate.release(10);
    stopping.join();
    awaitSince("st:in-sync", "new b@11", "del a", "del b");
  }

  @Test
  @DisplayName("SY-73 start and stop in any order and number do no harm")
  void anyOrder() {
    Syncer never = new WatcherSyncer(store, options(one), consumer);
    never.stop();
    never.start();
    never.stop();
    assertEquals(List.of(), consumer.log());
    for (int i = 0; i < 50; i++) {
      Syncer syncer =
          new WatcherSyncer(store, i % 2 == 0 ? options(one) : options(), new Consumer());
      syncer.start();
      syncer.start();
      syncer.stop();
      syncer.stop();
      syncer.start();
    }
    Consumer.await(SyncerTest::noThreads, () -> "all threads end");
  }

  private static SyncerOptions options(Kind... kinds) {
    return options(
        StatusMode.REGRESSING,
        ParsePolicy.DELETE,
        Arrays.stream(kinds).map(FakeStore::source).toArray(SyncerOptions.Source<?>[]::new));
  }

  @Test
  @DisplayName("Q8 a stop inside a callback returns at once, and the syncer ends behind it")
  void stopInside() throws InterruptedException {
    FakeWatch watch = synced("a@1");
    Syncer syncer = started.get(0);
    consumer.during = syncer::stop;
    add(watch, one.pair("b@11"));
    awaitSince("st:in-sync", "new b@11", "del a", "del b");
    Consumer.await(SyncerTest::noThreads, () -> "all threads end");
  }

  @Test
  @DisplayName("SY-75 a callback that throws is called again, and stop works")
  void throwing() throws InterruptedException {
    FakeWatch watch = synced("a@1");
    consumer.during =
        () -> {
          throw new IllegalStateException("a consumer's fault");
        };
    add(watch, one.pair("b@11"));
    awaitSince("st:in-sync", "new b@11");
    consumer.during = () -> {};
    add(watch, one.pair("c@12"));
    awaitSince("new b@11", "new c@12");
    assertFalse(consumer.picture().isEmpty());
  }
}
