package dev.evenkeel.bench.loop;

import dev.evenkeel.bench.Contest;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Jmh;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Report;
import dev.evenkeel.bench.Suite;
import java.util.List;
import java.util.Map;

/** {@code ./evenkeel bench loop}: what the loop costs over the ring under it. */
public final class LoopBench implements Suite {
  private static final String[] HEAP = {"-Xms1g", "-Xmx1g"};
  private static final String[] LARGE_HEAP = {"-Xms3g", "-Xmx3g"};
  private static final String BARE = Contestants.BARE;
  private static final String OFF = Contestants.OFF;
  private static final String ON = Contestants.ON;

  @Override
  public String name() {
    return "loop";
  }

  @Override
  public String about() {
    return "the event loop beside a bare ring, an executor and other controllers' queues";
  }

  @Override
  public void run(Plan plan, Report report) throws Exception {
    pushes(plan, report);
    operator(plan, report);
    latency(plan, report);
    idle(plan, report);
    bytes(plan, report);
    growth(plan, report);
    handlers(plan, report);
  }

  private static void pushes(Plan plan, Report report) throws Exception {
    Contest one = pushes(plan, report, "1 pusher", 1, List.of(BARE, OFF, ON));
    Contest four =
        pushes(
            plan,
            report,
            "4 pushers",
            4,
            List.of(BARE, OFF, ON, Contestants.EXECUTOR, Contestants.QUEUE));
    report.atLeast("off / bare ring, 1 pusher", one.ratio("score", OFF, BARE), 0.7);
    report.atLeast("off / bare ring, 4 pushers", four.ratio("score", OFF, BARE), 0.7);
    report.atLeast("on / bare ring, 1 pusher", one.ratio("score", ON, BARE), 0.5);
    report.atLeast("on / bare ring, 4 pushers", four.ratio("score", ON, BARE), 0.5);
    report.atLeast("off / executor", four.ratio("score", OFF, Contestants.EXECUTOR), 1.5);
    report.atLeast("off / work queue", four.ratio("score", OFF, Contestants.QUEUE), 2);
  }

  private static void operator(Plan plan, Report report) throws Exception {
    List<String> contestants = List.of(OFF, Contestants.OPERATOR);
    Contest contest = measured("one stream", plan.forks(3), StreamMeasure.class, contestants, HEAP);
    for (String name : contestants) {
      report.figure("one stream, " + name, contest.median(name, "score"), "events/s");
    }
    report.atLeast("off / operator sdk", contest.ratio("score", OFF, Contestants.OPERATOR), 5);
  }

  private static Contest pushes(
      Plan plan, Report report, String title, int pushers, List<String> contestants)
      throws Exception {
    Contest contest =
        Contest.run(
            title,
            plan.forks(),
            contestants,
            name ->
                Jmh.run(
                    PushBenchmark.class, plan, pushers, Map.of("contestant", name), List.of(HEAP)));
    for (String name : contestants) {
      report.figure(title + ", " + name, contest.median(name, "score"), "events/s");
    }
    return contest;
  }

  private static void latency(Plan plan, Report report) throws Exception {
    Contest contest =
        measured("one at a time", plan.forks(3), LatencyMeasure.class, List.of(BARE, OFF), HEAP);
    for (String percentile : List.of("p50", "p90", "p99")) {
      for (String name : List.of(BARE, OFF)) {
        report.figure(
            "one at a time, " + name + ", " + percentile,
            contest.median(name, percentile) / 1000,
            "us");
      }
    }
    report.atMost("one at a time, off / bare ring, p50", contest.ratio("p50", OFF, BARE), 1.3);
    report.atMost("one at a time, off / bare ring, p90", contest.ratio("p90", OFF, BARE), 1.5);
  }

  private static void idle(Plan plan, Report report) throws Exception {
    Contest contest = measured("idle", plan.forks(1), IdleMeasure.class, List.of(ON), HEAP);
    report.atMost("idle, percent of a core", contest.median(ON, "percent"), 2);
  }

  private static void bytes(Plan plan, Report report) throws Exception {
    List<String> contestants =
        List.of(
            BARE,
            Contestants.NOTHING,
            OFF,
            Contestants.STATE,
            Contestants.VALUES,
            Contestants.CHANGES,
            ON);
    Contest contest = measured("cost", plan.forks(1), CostMeasure.class, contestants, HEAP);
    for (String name : contestants) {
      report.figure("allocated, " + name, bytes(contest, name), "bytes/event");
      report.figure("pusher's time, " + name, contest.median(name, "pusher ns"), "ns/event");
      report.figure("loop's time, " + name, contest.median(name, "other ns"), "ns/event");
    }
    report.atMost("allocated by doing nothing", bytes(contest, Contestants.NOTHING), 256);
    report.atMost(
        "allocated by three puts of what is so already", bytes(contest, Contestants.VALUES), 768);
  }

  private static double bytes(Contest contest, String name) {
    return contest.median(name, "pusher bytes") + contest.median(name, "other bytes");
  }

  private static void growth(Plan plan, Report report) throws Exception {
    String few = Contestants.records(1_000);
    String many = Contestants.records(1_000_000);
    List<String> contestants =
        List.of(few, Contestants.records(10_000), Contestants.records(100_000), many);
    Contest contest =
        measured("records", plan.forks(3), CostMeasure.class, contestants, LARGE_HEAP);
    for (String name : contestants) {
      report.figure("loop's time, " + name, contest.median(name, "other ns"), "ns/event");
      report.figure("all processor time, " + name, contest.median(name, "process ns"), "ns/event");
    }
    report.atMost(
        "loop's time with 1,000,000 records / with 1,000",
        contest.ratio("other ns", many, few),
        1.1);
  }

  private static void handlers(Plan plan, Report report) throws Exception {
    String one = Contestants.handlers(1);
    String some = Contestants.handlers(16);
    String many = Contestants.handlers(64);
    List<String> contestants = List.of(one, some, many);
    Contest contest = measured("handlers", plan.forks(3), CostMeasure.class, contestants, HEAP);
    for (String name : contestants) {
      report.figure("loop's time, " + name, contest.median(name, "other ns"), "ns/event");
    }
    double first = contest.pairwise("other ns", some, one, (s, o) -> (s - o) / 15);
    double next = contest.pairwise("other ns", many, some, (m, s) -> (m - s) / 48);
    report.atMost("one more handler, of 16 to 64 / of 1 to 16", next / first, 1.2);
  }

  private static Contest measured(
      String what,
      Plan plan,
      Class<? extends Fork.Measure> measure,
      List<String> contestants,
      String[] options)
      throws Exception {
    return Contest.run(
        what, plan.forks(), contestants, name -> Fork.run(measure, name, plan, options));
  }
}
