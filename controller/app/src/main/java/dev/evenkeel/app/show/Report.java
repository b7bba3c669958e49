package dev.evenkeel.app.show;

import dev.evenkeel.api.loop.EventRecord;
import java.util.List;
import java.util.OptionalLong;

/**
 * Shows a run as it goes. Called by the one thread that runs the workload, never by the loop; does
 * not throw when the output is gone.
 */
public interface Report {
  /**
   * The run begins.
   *
   * @param total how many lines count, if that is known
   */
  void begin(String command, String source, String stateDir, OptionalLong total);

  /** An event is about to be pushed. */
  void opening(long number, String event, String description, String note);

  /** It still runs, after so many seconds. */
  void waiting(long seconds);

  /** It has ended, or was a line that cannot be run; for the latter there was no opening. */
  void closing(Ended ended);

  /** An event of the framework's own has ended: a resync, a healing, the shutdown. */
  void aside(EventRecord record);

  /** The run is over. */
  void summary(Totals totals, Verdict verdict);

  /**
   * What became of all lines.
   *
   * @param events how many there were
   * @param unexpected how many did not end as they should
   * @param rows the first of them, as far as they are kept
   */
  record Totals(long events, long unexpected, List<Ended> rows) {
    /** Copies the rows. */
    public Totals {
      rows = List.copyOf(rows);
    }
  }

  /**
   * What the run as a whole came to.
   *
   * @param volumes on the disk
   * @param snapshots on the disk
   * @param differences between disk, store and history; none is good
   * @param calledOff whether lines were left, as the process was told to end
   */
  record Verdict(int volumes, int snapshots, List<String> differences, boolean calledOff) {
    /** Copies the differences. */
    public Verdict {
      differences = List.copyOf(differences);
    }
  }
}
