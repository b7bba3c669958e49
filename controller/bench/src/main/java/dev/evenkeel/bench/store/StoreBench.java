package dev.evenkeel.bench.store;

import dev.evenkeel.bench.Contest;
import dev.evenkeel.bench.Fork;
import dev.evenkeel.bench.Plan;
import dev.evenkeel.bench.Report;
import dev.evenkeel.bench.Suite;
import dev.evenkeel.store.rados.RadosMeasure;
import java.util.List;

/**
 * {@code ./evenkeel bench store}: what a datastore costs beside what is under it, and what it costs
 * to bring all that is stored into a loop.
 */
public final class StoreBench implements Suite {
  private static final String[] HEAP = {"-Xms4g", "-Xmx4g"};

  @Override
  public String name() {
    return "store";
  }

  @Override
  public String about() {
    return "local, etcd and RADOS stores beside bare RocksDB, jetcd and librados; stored keys"
        + " on their way into a loop";
  }

  @Override
  public void run(Plan plan, Report report) throws Exception {
    local(plan.forks(3), report);
    try (Servers servers = new Servers()) {
      String etcd = "-D" + EtcdMeasure.ENDPOINT + "=" + servers.etcd();
      remote("etcd", EtcdMeasure.class, etcd, plan.forks(3), report);
    }
    try (Servers servers = new Servers()) {
      String ceph = "-D" + RadosMeasure.FOLDER + "=" + servers.ceph();
      remote("RADOS", RadosMeasure.class, ceph, plan.forks(3), report);
    }
    sync(plan.forks(2), report);
  }

  private static void remote(
      String which, Class<? extends Fork.Measure> measure, String where, Plan plan, Report report)
      throws Exception {
    List<String> flights = List.of("1", "64");
    Contest contest =
        Contest.run(
            measure.getSimpleName(),
            plan.forks(),
            flights,
            name -> Fork.run(measure, name, plan, "-Xms1g", "-Xmx1g", where));
    List<String> acts =
        measure == EtcdMeasure.class
            ? List.of("write", "read", "compare and set")
            : List.of("read", "compare and set");
    for (String flight : flights) {
      for (String act : acts) {
        String what = which + ", " + flight + " in flight, " + act;
        for (String who : List.of("store", "bare")) {
          double nanos = contest.median(flight, act + ", " + who);
          report.figure(what + ", " + who, nanos / 1e3, "us/call");
        }
        double ratio = contest.within(flight, act + ", bare", act + ", store");
        report.atLeast(what + ", store / bare", ratio, 0.9);
      }
    }
  }

  private static void local(Plan plan, Report report) throws Exception {
    List<String> committers = List.of("1", "64");
    Contest contest = contest(LocalMeasure.class, plan, committers);
    for (String number : committers) {
      for (String who : List.of(LocalMeasure.STORE, LocalMeasure.BARE)) {
        report.figure(
            number + " committers, " + who, contest.median(number, who) / 1e3, "us/commit");
      }
    }
    report.atMost(
        "durable commit / bare RocksDB's synced put",
        contest.within("1", LocalMeasure.STORE, LocalMeasure.BARE),
        1.5);
    report.atLeast(
        "rate of 64 committers / bare RocksDB's",
        contest.within("64", LocalMeasure.BARE, LocalMeasure.STORE),
        0.7);
  }

  private static void sync(Plan plan, Report report) throws Exception {
    List<String> sizes =
        plan.isJudged() ? List.of("10000", "100000", "1000000") : List.of("1000", "10000");
    Contest contest = contest(SyncMeasure.class, plan, sizes);
    for (String size : sizes) {
      for (String who : List.of(SyncMeasure.LOOP, SyncMeasure.LIST)) {
        report.figure(size + " keys, " + who, contest.median(size, who), "ns/key");
      }
    }
    String most = sizes.get(sizes.size() - 1);
    report.atMost(
        most + " keys into the loop / listing the same store",
        contest.within(most, SyncMeasure.LOOP, SyncMeasure.LIST),
        2);
    report.figure(
        most + " keys, heap after",
        contest.median(most, SyncMeasure.BYTES),
        "bytes/key above the store's own");
  }

  private static Contest contest(
      Class<? extends Fork.Measure> measure, Plan plan, List<String> contestants) throws Exception {
    return Contest.run(
        measure.getSimpleName(),
        plan.forks(),
        contestants,
        name -> Fork.run(measure, name, plan, HEAP));
  }
}
