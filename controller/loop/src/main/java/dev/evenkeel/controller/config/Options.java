package dev.evenkeel.controller.config;

import dev.evenkeel.controller.core.LoopConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** All options but {@code retry}, in the order in which people look for them. */
final class Options {
  static final List<Option<?>> ALL = all();

  private Options() {}

  private static List<Option<?>> all() {
    List<Option<?>> all = new ArrayList<>();
    all.addAll(queues());
    all.addAll(limits());
    all.addAll(healing());
    all.addAll(history());
    all.addAll(sources());
    return List.copyOf(all);
  }

  private static Option<Integer> count(
      String name,
      BiConsumer<LoopConfig.Builder, Integer> setter,
      Function<LoopConfig, Integer> getter,
      String meaning,
      String... ancestors) {
    return new Option<>(name, Form.COUNT, setter, getter, List.of(ancestors), meaning);
  }

  private static Option<Duration> time(
      String name,
      BiConsumer<LoopConfig.Builder, Duration> setter,
      Function<LoopConfig, Duration> getter,
      String meaning,
      String... ancestors) {
    return new Option<>(name, Form.TIME, setter, getter, List.of(ancestors), meaning);
  }

  private static List<Option<?>> queues() {
    return List.of(
        count(
            "capacity",
            LoopConfig.Builder::capacity,
            LoopConfig::capacity,
            "most events that may wait in ring and gate together"),
        count(
            "ringSlots",
            LoopConfig.Builder::ringSlots,
            LoopConfig::ringSlots,
            "slots of the ring, a power of two; 0 takes the capacity, rounded up"),
        count(
            "workers", LoopConfig.Builder::workers, LoopConfig::workers, "threads for operations"),
        count(
            "maxOperations",
            LoopConfig.Builder::maxOperations,
            LoopConfig::maxOperations,
            "most operations that run at a time"),
        count(
            "maxFollowUps",
            LoopConfig.Builder::maxFollowUps,
            LoopConfig::maxFollowUps,
            "most follow-ups that may wait"),
        count(
            "maxFollowUpDepth",
            LoopConfig.Builder::maxFollowUpDepth,
            LoopConfig::maxFollowUpDepth,
            "longest chain of follow-ups of follow-ups"),
        count(
            "maxTimers",
            LoopConfig.Builder::maxTimers,
            LoopConfig::maxTimers,
            "most scheduled events"),
        count(
            "maxSuperseded",
            LoopConfig.Builder::maxSuperseded,
            LoopConfig::maxSuperseded,
            "most superseded events that wait for their survivor's outcome and take no room"));
  }

  private static List<Option<?>> limits() {
    return List.of(
        time(
            "startupDeadline",
            LoopConfig.Builder::startupDeadline,
            LoopConfig::startupDeadline,
            "how long to wait for the first resync to begin; then the loop aborts",
            "startupResyncDeadline"),
        time(
            "closeLimit",
            LoopConfig.Builder::closeLimit,
            LoopConfig::closeLimit,
            "how long closing lets waiting events run"),
        time(
            "shutdownLimit",
            LoopConfig.Builder::shutdownLimit,
            LoopConfig::shutdownLimit,
            "how long the shutdown update may take after that"),
        time(
            "stepLimit",
            LoopConfig.Builder::stepLimit,
            LoopConfig::stepLimit,
            "how long to wait for a call on the outside that names no limit"),
        time(
            "stallWarning",
            LoopConfig.Builder::stallWarning,
            LoopConfig::stallWarning,
            "a turn that takes longer is reported with the loop thread's stack; 0 s never"),
        time(
            "stallLimit",
            LoopConfig.Builder::stallLimit,
            LoopConfig::stallLimit,
            "a turn that takes longer makes the loop not ready until it ends; 0 s never"));
  }

  private static List<Option<?>> healing() {
    return List.of(
        time(
            "healingDelay",
            LoopConfig.Builder::healingDelay,
            LoopConfig::healingDelay,
            "from a failure to the healing",
            "delayAfterErrorHealing"),
        count(
            "healingAttempts",
            LoopConfig.Builder::healingAttempts,
            LoopConfig::healingAttempts,
            "healings that may fail in a row before the loop aborts"),
        time(
            "healingCap",
            LoopConfig.Builder::healingCap,
            LoopConfig::healingCap,
            "longest delay between two healings; each doubles the one before"),
        new Option<>(
            "periodicHealing",
            Form.TIME_OR_OFF,
            (builder, period) -> period.ifPresent(builder::periodicHealing),
            LoopConfig::periodicHealing,
            List.of("enablePeriodicHealing", "periodicHealingInterval"),
            "pause between two periodic downstream resyncs"),
        new Option<>(
            "verification",
            Form.VERIFICATION,
            LoopConfig.Builder::verification,
            LoopConfig::verification,
            List.of("enableVerification"),
            "what is compared after each event that ended well"));
  }

  private static List<Option<?>> history() {
    return List.of(
        count(
            "historyRecords",
            LoopConfig.Builder::historyRecords,
            LoopConfig::historyRecords,
            "most event records kept; 0 keeps none of what has ended",
            "recordEventHistory"),
        new Option<>(
            "historyBytes",
            Form.SIZE,
            LoopConfig.Builder::historyBytes,
            LoopConfig::historyBytes,
            List.of(),
            "about how much memory they may take"),
        time(
            "historyAge",
            LoopConfig.Builder::historyAge,
            LoopConfig::historyAge,
            "how long a record is kept after its end",
            "eventHistoryAgeLimit"),
        time(
            "historyPermanent",
            LoopConfig.Builder::historyPermanent,
            LoopConfig::historyPermanent,
            "records that begin within this time after start do not age",
            "permanentlyRecordedInitPeriod"));
  }

  private static List<Option<?>> sources() {
    return List.of(
        time(
            "localResyncDelay",
            LoopConfig.Builder::localResyncDelay,
            LoopConfig::localResyncDelay,
            "how long a datastore source waits for its remote store before it takes its mirror",
            "delayLocalResync"),
        time(
            "probeInterval",
            LoopConfig.Builder::probeInterval,
            LoopConfig::probeInterval,
            "how often a datastore source probes its remote store",
            "remoteDBProbingInterval"));
  }
}
