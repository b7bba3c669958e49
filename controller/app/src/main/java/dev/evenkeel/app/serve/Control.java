package dev.evenkeel.app.serve;

import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.HealingResync;
import dev.evenkeel.api.event.ResyncEvent;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configurator;

/** What an operator may ask of a running controller: resyncs, healing, other levels of its log. */
final class Control {
  private static final int LONGEST_WAIT = 60;

  /** How far back the record of an event is looked for that has just ended. */
  private static final int LOOK_BACK = 1_000;

  private final Subject subject;

  Control(Subject subject) {
    this.subject = subject;
  }

  List<Route> routes() {
    return List.of(
        Route.post(
                "/api/v1/resync",
                "control",
                "Reads the datastore anew, and lets handlers and engine put everything right.",
                this::resync)
            .with("wait", "integer", "seconds to wait for its end, 0 to " + LONGEST_WAIT + "; 0"),
        Route.post(
                "/api/v1/healing",
                "control",
                "Compares what is wanted with what is really there, and repairs it.",
                this::heal)
            .with("wait", "integer", "seconds to wait for its end, 0 to " + LONGEST_WAIT + "; 0"),
        Route.get("/api/v1/log-levels", "control", "The levels of the log.", this::levels),
        Route.put("/api/v1/log-levels", "control", "Changes one, until the end.", this::level)
            .with("logger", "string", "its name; empty for the root; needed")
            .with("level", "off|fatal|error|warn|info|debug|trace|inherit", "needed"));
  }

  private Answer resync(Call call) throws InterruptedException {
    Duration wait = wait(call.params());
    return push(DatastoreResync.of(subject.stored().get()), wait);
  }

  private Answer heal(Call call) throws InterruptedException {
    Duration wait = wait(call.params());
    return push(new HealingResync(HealingResync.Cause.PERIODIC, 1), wait);
  }

  private static Duration wait(Params params) {
    long wait = params.number("wait").orElse(0);
    if (wait > LONGEST_WAIT) {
      params.fault("wait", Long.toString(wait), "must be from 0 to " + LONGEST_WAIT);
    }
    params.check();
    return Duration.ofSeconds(wait);
  }

  private Answer push(ResyncEvent event, Duration wait) throws InterruptedException {
    Submission<Void> submission = Pushing.push(subject.loop(), event);
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("id", submission.id().toString());
    tree.put("type", event.type().name());
    if (wait.isZero()) {
      return Answer.accepted(tree);
    }
    try {
      Outcome<Void> outcome = submission.await(wait);
      tree.put("outcome", outcome.word());
      tree.put("failures", Trees.list(outcome.failures(), Trees::failure));
      record(outcome).ifPresent(record -> tree.put("event", Trees.event(record)));
      return Answer.json(tree);
    } catch (TimeoutException stillRuns) {
      return Answer.accepted(tree);
    }
  }

  private Optional<EventRecord> record(Outcome<Void> outcome) {
    return subject.loop().history().last(LOOK_BACK).stream()
        .filter(record -> record.id().equals(outcome.event()))
        .findFirst();
  }

  private Answer levels(Call call) {
    return Answer.json(tree());
  }

  private static Map<String, Object> tree() {
    Map<String, Object> levels = new TreeMap<>();
    LoggerContext context = (LoggerContext) LogManager.getContext(false);
    context
        .getConfiguration()
        .getLoggers()
        .forEach(
            (name, logger) -> levels.put(name, logger.getLevel().name().toLowerCase(Locale.ROOT)));
    return Map.of("levels", levels);
  }

  private Answer level(Call call) {
    Params params = call.params();
    String logger = params.text("logger").orElse("");
    Optional<String> text = params.text("level");
    Level level = text.map(name -> Level.toLevel(name, null)).orElse(null);
    boolean inherit = text.filter("inherit"::equalsIgnoreCase).isPresent();
    if (params.text("logger").isEmpty()) {
      params.fault("logger", "", "is needed; empty is the root");
    }
    if (!logger.matches("[\\w.$-]{0,200}")) {
      params.fault("logger", logger, "must be the name of a logger");
    }
    if (level == null && !inherit) {
      params.fault(
          "level",
          text.orElse(""),
          "must be one of off, fatal, error, warn, info, debug, trace, inherit");
    }
    params.check();
    if (inherit) {
      LoggerContext context = (LoggerContext) LogManager.getContext(false);
      context.getConfiguration().removeLogger(logger);
      context.updateLoggers();
    } else if (logger.isEmpty()) {
      Configurator.setRootLevel(level);
    } else {
      Configurator.setLevel(logger, level);
    }
    return Answer.json(tree());
  }
}
