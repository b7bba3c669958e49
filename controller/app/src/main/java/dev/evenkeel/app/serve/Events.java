package dev.evenkeel.app.serve;

import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.History;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The event history, with all its questions (event loop reference, EL-45). */
final class Events {
  static final int USUAL = 100;
  static final int MOST = 1_000;

  private final Subject subject;

  Events(Subject subject) {
    this.subject = subject;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/v1/events", "events", "Events that ran or run.", this::list)
            .with("sequence", "integer", "this event only; beats all that follows")
            .with("since", "time", "ended not before")
            .with("until", "time", "started not after")
            .with("from", "integer", "sequence number, included; without `to` it is ignored")
            .with("to", "integer", "sequence number, included; without `from` it is ignored")
            .with("first", "integer", "the oldest so many")
            .with("last", "integer", "the newest so many")
            .with("type", "string", "of that type only")
            .with("failed", "boolean", "only those with a failure")
            .with("text", "string", "only those whose description holds it")
            .with("after", "integer", "the page behind that sequence number")
            .with("before", "integer", "the page in front of that sequence number")
            .with("limit", "integer", "most events of one page, 1 to " + MOST + "; " + USUAL),
        Route.get("/api/v1/events/{sequence}", "events", "One event.", this::one));
  }

  private Answer one(Call call) {
    return Answer.json(Trees.event(find(call.number("sequence"))));
  }

  private EventRecord find(long sequence) {
    return subject
        .loop()
        .history()
        .bySequence(sequence)
        .orElseThrow(
            () -> Problem.notFound("there is no event " + sequence + ", or it is not kept"));
  }

  private Answer list(Call call) {
    Params params = call.params();
    OptionalLong sequence = params.number("sequence");
    Question question = new Question(params);
    int limit = params.limit("limit", USUAL, MOST);
    OptionalLong after = params.number("after");
    OptionalLong before = params.number("before");
    Optional<String> type = params.text("type");
    Optional<String> text = params.text("text");
    boolean failed = params.text("failed").isPresent() && params.flag("failed");
    params.check();
    if (sequence.isPresent()) {
      return Answer.json(page(List.of(find(sequence.getAsLong())), limit, true));
    }
    List<EventRecord> found = new ArrayList<>();
    // Without a filter one more than a page is enough to know that there are more.
    boolean plain =
        after.isEmpty() && before.isEmpty() && type.isEmpty() && text.isEmpty() && !failed;
    int most = plain ? limit + 1 : Integer.MAX_VALUE;
    for (EventRecord record : question.ask(subject.loop().history(), most)) {
      boolean wanted =
          (after.isEmpty() || record.sequence() > after.getAsLong())
              && (before.isEmpty() || record.sequence() < before.getAsLong())
              && type.map(record.type()::equals).orElse(true)
              && text.map(record.description()::contains).orElse(true)
              && (!failed || !record.failures().isEmpty());
      if (wanted) {
        found.add(record);
      }
    }
    return Answer.json(page(found, limit, question.oldestFirst() || after.isPresent()));
  }

  /** Always ordered by number; says where the next page is. */
  private static Map<String, Object> page(List<EventRecord> all, int limit, boolean oldestFirst) {
    boolean cut = all.size() > limit;
    List<EventRecord> shown = all;
    if (cut) {
      shown = oldestFirst ? all.subList(0, limit) : all.subList(all.size() - limit, all.size());
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("events", shown.stream().map(Trees::event).toList());
    if (cut) {
      EventRecord end = oldestFirst ? shown.get(limit - 1) : shown.get(0);
      tree.put("next", (oldestFirst ? "after=" : "before=") + end.sequence());
    }
    return tree;
  }

  /** Which records are asked for; the first form that is whole is taken. */
  private record Question(
      Optional<Instant> since,
      Optional<Instant> until,
      OptionalLong from,
      OptionalLong to,
      OptionalLong first,
      OptionalLong last) {
    Question(Params params) {
      this(
          params.time("since"),
          params.time("until"),
          params.number("from"),
          params.number("to"),
          params.number("first"),
          params.number("last"));
    }

    boolean oldestFirst() {
      return since.isPresent()
          || until.isPresent()
          || (from.isPresent() && to.isPresent())
          || first.isPresent();
    }

    /** The records; of those at an end of the history no more than so many. */
    List<EventRecord> ask(History history, int most) {
      if (since.isPresent() || until.isPresent()) {
        return history.between(since.orElse(Instant.MIN), until.orElse(Instant.MAX));
      }
      if (from.isPresent() && to.isPresent()) {
        return history.range(from.getAsLong(), to.getAsLong());
      }
      if (first.isPresent()) {
        return history.first((int) Math.min(first.getAsLong(), most));
      }
      return history.last((int) Math.min(last.orElse(most), most));
    }
  }
}
