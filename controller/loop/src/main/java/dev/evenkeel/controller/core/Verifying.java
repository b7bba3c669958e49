package dev.evenkeel.controller.core;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.event.Shutdown;
import dev.evenkeel.api.event.VerificationResync;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.txn.ObserveValues;
import dev.evenkeel.api.txn.OperationFlag;
import dev.evenkeel.api.txn.OperationRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verification mode (EL 31, EW-17): after an event that ended well everything is built anew, and
 * nothing must come out differently: neither what the handlers say of themselves nor a value. What
 * does is an error on the verification's record; it stops nothing. Core's thread only.
 */
final class Verifying {
  private static final Logger LOG = LoggerFactory.getLogger(Verifying.class);
  private static final int MOST = 20;
  private static final int SHOWN = 200;

  private final String loop;
  private final LoopConfig.Verification mode;
  private final Map<String, String> before = new HashMap<>();

  Verifying(LoopParts parts) {
    this.loop = parts.name();
    this.mode = parts.config().verification();
  }

  /** The follow-up of an event that ended well; most loops have none. */
  Optional<VerificationResync> of(EventRun run) {
    boolean none =
        mode == LoopConfig.Verification.OFF
            || !run.failures.isEmpty()
            || run.event() instanceof VerificationResync
            || run.event() instanceof EngineUpkeep
            || run.event() instanceof ObserveValues
            || run.event() instanceof Shutdown;
    return none
        ? Optional.empty()
        : Optional.of(new VerificationResync(mode == LoopConfig.Verification.DOWNSTREAM));
  }

  /** The handlers are about to build everything anew. */
  void begins(EventRun run) {
    if (!before.isEmpty()) {
      before.clear();
    }
    if (run.event() instanceof VerificationResync) {
      for (EventHandler handler : run.selected()) {
        describe(run, handler).ifPresent(text -> before.put(handler.name(), text));
      }
    }
  }

  /** They have: who describes itself differently now has been found out. */
  void ends(EventRun run) {
    if (run.event() instanceof VerificationResync) {
      for (EventHandler handler : run.selected()) {
        String was = before.getOrDefault(handler.name(), "");
        String is = describe(run, handler).orElse("");
        if (!was.equals(is) && !run.failedHandlers.contains(handler.name())) {
          run.differences.add(difference(handler.name(), "its state was " + inWords(was, is)));
        }
      }
    }
  }

  private static Optional<String> describe(EventRun run, EventHandler handler) {
    try {
      return handler.describeState();
    } catch (VirtualMachineError fatal) {
      throw fatal;
    } catch (RuntimeException | Error thrown) {
      run.differences.add(Failure.of(handler.name(), "describeState", thrown));
      return Optional.empty();
    }
  }

  /** Both from a little before where they begin to differ. */
  private static String inWords(String was, String is) {
    int at = 0;
    while (at < Math.min(was.length(), is.length()) && was.charAt(at) == is.charAt(at)) {
      at++;
    }
    int from = Math.max(0, at - SHOWN / 4);
    return "\"" + shown(was, from) + "\", built anew it is \"" + shown(is, from) + "\"";
  }

  private static String shown(String text, int from) {
    String head = from == 0 ? "" : "…";
    return text.length() <= from + SHOWN
        ? head + text.substring(Math.min(from, text.length()))
        : head + text.substring(from, from + SHOWN) + "…";
  }

  /** All that came out differently, its operations included; logged. */
  List<Failure> differences(EventRun run) {
    if (!(run.event() instanceof VerificationResync)) {
      return List.of();
    }
    List<Failure> all = new ArrayList<>(run.differences);
    run.transaction.ifPresent(
        result ->
            result.operations().stream()
                .filter(operation -> !operation.flags().contains(OperationFlag.NOOP))
                .forEach(operation -> all.add(executed(operation))));
    all.forEach(failure -> LOG.error("Loop {}: verification: {}", loop, failure));
    if (all.size() <= MOST) {
      return all;
    }
    List<Failure> first = new ArrayList<>(all.subList(0, MOST));
    first.add(difference("loop", (all.size() - MOST) + " more things came out differently"));
    return first;
  }

  private static Failure executed(OperationRecord operation) {
    return difference(
            operation.owner().isEmpty() ? "engine" : operation.owner(),
            operation.operation() + " of " + operation.key() + " was needed: it was not in sync")
        .about(operation.key(), operation.base());
  }

  private static Failure difference(String owner, String text) {
    return Failure.of(owner, "verify", ErrorKind.INTERNAL, text);
  }
}
