package dev.evenkeel.bench.loop;

import dev.evenkeel.bench.Contest;
import dev.evenkeel.bench.Jmh;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Report;
import dev.evenkeel.bench.Suite;
import java.util.List;
import java.util.Map;

/** {@code ./evenkeel bench loop}: what the loop costs over the ring under it. */
public final class LoopBench implements Suite {
  private static final List<String> HEAP = List.of("-Xms1g", "-Xmx1g");

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
    throughput(plan, report);
  }

  private static void throughput(Plan plan, Report report) throws Exception {
    String bare = Contestants.BARE;
    String plain = Contestants.PLAIN;
    String all = Contestants.ALL;
    Contest one = pushes(plan, report, 1, List.of(bare, plain, all));
    Contest four =
        pushes(plan, report, 4, List.of(bare, plain, all, Contestants.EXECUTOR, Contestants.QUEUE));
    for (Contest contest : List.of(one, four)) {
      String pushers = contest == one ? ", 1 producer" : ", 4 producers";
      report.atLeast("off / bare ring" + pushers, contest.ratio("score", plain, bare), 0.7);
      report.atLeast("on / bare ring" + pushers, contest.ratio("score", all, bare), 0.5);
    }
    report.atLeast("off / executor", four.ratio("score", plain, Contestants.EXECUTOR), 1.5);
    report.atLeast("off / work queue", four.ratio("score", plain, Contestants.QUEUE), 2);
  }

  private static Contest pushes(Plan plan, Report report, int producers, List<String> contestants)
      throws Exception {
    Contest contest =
        Contest.run(
            producers + " producers",
            plan.forks(),
            contestants,
            name ->
                Jmh.run(PushBenchmark.class, plan, producers, Map.of("contestant", name), HEAP));
    for (String name : contestants) {
      report.figure(name + ", " + producers, contest.median(name, "score"), "events/s");
    }
    return contest;
  }
}
