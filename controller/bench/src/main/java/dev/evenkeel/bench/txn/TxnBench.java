package dev.evenkeel.bench.txn;

import dev.evenkeel.bench.Contest;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Report;
import dev.evenkeel.bench.Suite;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * {@code ./evenkeel bench txn}: the transaction engine, with the model's own benchmark shape. What
 * is compared takes turns in one JVM; the JVMs take turns, too.
 */
public final class TxnBench implements Suite {
  private static final double MODEL_BULK = 48e6;
  private static final double MODEL_BULK_PLANNED = 79e6;
  private static final double MODEL_SINGLE = 26e3;
  private static final double MODEL_SINGLE_PLANNED = 2.35e6;

  /** All of it touched before, and a young generation that stays small: no page is new. */
  private static final String[] SMALL = {"-Xms1g", "-Xmx1g", "-Xmn256m", "-XX:+AlwaysPreTouch"};

  private static final String[] MIDDLE = {"-Xms3g", "-Xmx3g", "-Xmn256m", "-XX:+AlwaysPreTouch"};
  private static final String[] LARGE = {"-Xms5g", "-Xmx5g", "-Xmn2g", "-XX:+AlwaysPreTouch"};

  @Override
  public String name() {
    return "txn";
  }

  @Override
  public String about() {
    return "the transaction engine beside a plain program, a bare map and compared hash maps";
  }

  @Override
  public void run(Plan plan, Report report) throws Exception {
    bulk(plan.forks(3), report);
    single(plan, report);
    resync(plan.forks(1), report);
    memory(plan.forks(1), report);
  }

  private static void bulk(Plan plan, Report report) throws Exception {
    Contest contest = contest(BulkMeasure.class, plan, List.of("1000"), SMALL);
    for (String who : List.of(BulkMeasure.ENGINE, BulkMeasure.PLANNED, BulkMeasure.PLAIN)) {
      report.figure("bulk 1000, " + who, contest.median("1000", who) / 1e6, "ms");
    }
    double engine = contest.median("1000", BulkMeasure.ENGINE);
    double planned = contest.median("1000", BulkMeasure.PLANNED);
    report.atLeast("model / bulk 1000", MODEL_BULK / engine, 10);
    report.atLeast("model / bulk 1000, planned", MODEL_BULK_PLANNED / planned, 10);
    report.atMost(
        "bulk 1000 / plain program",
        contest.within("1000", BulkMeasure.ENGINE, BulkMeasure.PLAIN),
        6);
  }

  private static void single(Plan plan, Report report) throws Exception {
    String many = "" + plan.size(1_000_000);
    List<String> few = List.of("10", "1000");
    Contest contest = contest(SingleMeasure.class, plan.forks(3), few, SMALL);
    Contest large = contest(SingleMeasure.class, plan.forks(1), List.of(many), MIDDLE);
    for (String who : List.of(SingleMeasure.ENGINE, SingleMeasure.PLANNED, SingleMeasure.MAP)) {
      few.forEach(n -> report.figure("single in " + n + ", " + who, contest.median(n, who), "ns"));
      report.figure("single in " + many + ", " + who, large.median(many, who), "ns");
    }
    double engine = contest.median("1000", SingleMeasure.ENGINE);
    double planned = contest.median("1000", SingleMeasure.PLANNED);
    report.atLeast("model / single in 1000", MODEL_SINGLE / engine, 10);
    report.atLeast("model / single in 1000, planned", MODEL_SINGLE_PLANNED / planned, 10);
    ToDoubleFunction<String> growth = who -> large.median(many, who) / contest.median("10", who);
    double map = growth.applyAsDouble(SingleMeasure.MAP);
    for (String who : List.of(SingleMeasure.ENGINE, SingleMeasure.PLANNED)) {
      report.atMost(
          "growth from 10 to " + many + ", " + who + " / TreeMap",
          growth.applyAsDouble(who) / map,
          1.5);
    }
  }

  private static void resync(Plan plan, Report report) throws Exception {
    report.figure("values of a resync", plan.size(ResyncMeasure.VALUES), "");
    List<String> shapes =
        List.of(ResyncMeasure.FLAT, ResyncMeasure.DERIVED, ResyncMeasure.RETRIEVED);
    Contest contest = contest(ResyncMeasure.class, plan, shapes, LARGE);
    for (String shape : shapes) {
      for (String who : List.of(ResyncMeasure.ENGINE, ResyncMeasure.MAPS)) {
        report.figure("resync " + shape + ", " + who, contest.median(shape, who) / 1e6, "ms");
      }
      String what = "resync " + shape + " / comparing hash maps";
      double ratio = contest.within(shape, ResyncMeasure.ENGINE, ResyncMeasure.MAPS);
      if (shape.equals(ResyncMeasure.RETRIEVED)) {
        report.figure(what, ratio, "");
      } else {
        report.atMost(what, ratio, shape.equals(ResyncMeasure.FLAT) ? 4 : 8);
      }
    }
    for (String shape : List.of(ResyncMeasure.FLAT, ResyncMeasure.DERIVED)) {
      double bytes = contest.median(shape, HeapMeasure.BYTES);
      report.atMost("heap per value, " + shape, bytes, 300);
    }
  }

  private static void memory(Plan plan, Report report) throws Exception {
    Contest heap = contest(HeapMeasure.class, plan, List.of("bridged"), MIDDLE);
    report.figure("heap per value, bridged", heap.median("bridged", HeapMeasure.BYTES), "B");
    Contest run = contest(LongRunMeasure.class, plan, List.of("long"), SMALL);
    double early = run.median("long", LongRunMeasure.EARLY);
    double late = run.median("long", LongRunMeasure.LATE);
    report.figure("heap after 100000 transactions", early / 1e6, "MB");
    report.figure("heap after 1000000 transactions", late / 1e6, "MB");
    report.atMost("heap after 1000000 / after 100000 transactions", late / early, 1.05);
  }

  private static Contest contest(
      Class<? extends Fork.Measure> measure, Plan plan, List<String> contestants, String[] options)
      throws Exception {
    return Contest.run(
        measure.getSimpleName(),
        plan.forks(),
        contestants,
        name -> Fork.run(measure, name, plan, options));
  }
}
