package dev.evenkeel.app.run;

import dev.evenkeel.app.show.Report;
import dev.evenkeel.controller.recording.Recorder;
import dev.evenkeel.controller.recording.RecorderOptions;
import dev.evenkeel.controller.recording.RecordingCodec;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One run of a workload from begin to end: opens what it needs, runs the lines, compares disk,
 * store and history, and closes. Blocks; used once, by one thread.
 */
public final class WorkloadRun {
  private final String command;
  private final String source;
  private final Path stateDir;
  private final Report report;
  private final Optional<Path> recording;

  /**
   * A run to be.
   *
   * @param command for people
   * @param source for people: where the lines come from
   */
  public WorkloadRun(String command, String source, Path stateDir, Report report) {
    this(command, source, stateDir, report, Optional.empty());
  }

  /**
   * The same.
   *
   * @param recording the folder that gets a recording of it
   */
  public WorkloadRun(
      String command, String source, Path stateDir, Report report, Optional<Path> recording) {
    this.recording = recording;
    this.command = command;
    this.source = source;
    this.stateDir = stateDir;
    this.report = report;
  }

  private Optional<Recorder> recorder() {
    return recording.map(
        folder -> Recorder.in(folder, RecordingCodec.withVolumes(), RecorderOptions.usual()));
  }

  /**
   * Runs it, and tells whether all was as expected.
   *
   * @throws CannotGoOnException when it could not begin or go on
   */
  public boolean execute(Entries entries) throws Exception {
    StateDir dir = StateDir.open(stateDir);
    report.begin(command, source, dir.root().toString(), entries.total());
    try (Signals signals = Signals.heed();
        Session session = Session.open(dir, SessionSetup.usual(), recorder())) {
      Records stored = Records.in(session.store());
      Tally tally = Tally.from(stored);
      Runner runner =
          new Runner(
              session.loop(),
              session.feed(),
              session.faults(),
              tally,
              report,
              new Health(dir.root()),
              signals::calledOff);
      signals.protect(session::close, runner::waitsForInput);
      runner.start(stored.asInput());
      Report.Totals totals = runner.run(entries);
      Report.Verdict verdict =
          DiskCheck.compare(
              Records.in(session.store()), tally, session.backend(), signals.calledOff());
      report.summary(totals, verdict);
      return verdict.differences().isEmpty() && totals.unexpected() == 0;
    }
  }
}
