package dev.evenkeel.app.serve;

import dev.evenkeel.api.txn.EngineStatistics;
import dev.evenkeel.api.txn.TransactionHistory;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.ValueRevision;
import dev.evenkeel.txn.history.TextOptions;
import dev.evenkeel.txn.history.TransactionText;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Transactions as JSON and as text, the timelines of keys, and the engine's statistics. */
final class Transactions {
  private static final int USUAL = 50;
  private static final int MOST = 500;

  private static final TransactionText TEXT =
      new TransactionText(TextOptions.standard().printing(Shown::value).limited(200_000));

  private final Subject subject;

  Transactions(Subject subject) {
    this.subject = subject;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/v1/transactions", "transactions", "Transactions.", this::list)
            .with("since", "time", "began not before")
            .with("until", "time", "began not after")
            .with("limit", "integer", "the newest so many, 1 to " + MOST + "; " + USUAL)
            .with("format", "json|text", "json unless said otherwise")
            .giving("application/json", "text/plain"),
        Route.get("/api/v1/transactions/{number}", "transactions", "One transaction.", this::one)
            .with("format", "json|text", "json unless said otherwise")
            .giving("application/json", "text/plain"),
        Route.get("/api/v1/timeline", "values", "The revisions of one value.", this::timeline)
            .with("key", "string", "its path; needed")
            .with("time", "time", "only the revision that held then"),
        Route.get(
            "/api/v1/statistics", "transactions", "What the engine has done.", this::statistics));
  }

  static TransactionHistory history(Subject subject) {
    return subject
        .loop()
        .transactions()
        .orElseThrow(() -> Problem.of(501, "this controller keeps no history of transactions"));
  }

  private Answer list(Call call) throws IOException {
    Params params = call.params();
    Optional<Instant> since = params.time("since");
    Optional<Instant> until = params.time("until");
    int limit = params.limit("limit", USUAL, MOST);
    Format format = params.oneOf("format", Format.class).orElse(Format.JSON);
    params.check();
    List<TransactionRecord> records =
        history(subject).between(since.orElse(Instant.MIN), until.orElse(Instant.MAX), limit);
    if (format == Format.TEXT) {
      StringBuilder text = new StringBuilder();
      for (TransactionRecord record : records) {
        text(record, text);
      }
      return Answer.text("text/plain", Shown.masked(text.toString()));
    }
    return Answer.json(Map.of("transactions", records.stream().map(Trees::transaction).toList()));
  }

  private Answer one(Call call) throws IOException {
    long number = call.number("number");
    Format format = call.params().oneOf("format", Format.class).orElse(Format.JSON);
    call.params().check();
    TransactionRecord record =
        history(subject)
            .find(number)
            .orElseThrow(
                () ->
                    Problem.notFound("there is no transaction " + number + ", or it is not kept"));
    if (format == Format.TEXT) {
      StringBuilder text = new StringBuilder();
      text(record, text);
      return Answer.text("text/plain", Shown.masked(text.toString()));
    }
    return Answer.json(Trees.transaction(record));
  }

  private static void text(TransactionRecord record, StringBuilder text) throws IOException {
    TEXT.before(record, text);
    if (!record.running()) {
      TEXT.after(record, text);
    }
  }

  private Answer timeline(Call call) {
    Params params = call.params();
    String key = params.required("key");
    Optional<Instant> time = params.time("time");
    params.check();
    List<ValueRevision> all = history(subject).timeline(key);
    if (all.isEmpty()) {
      throw Problem.notFound("nothing is known of " + Shown.cut(key, 200));
    }
    if (time.isPresent()) {
      List<ValueRevision> until =
          all.stream().filter(one -> !one.time().isAfter(time.get())).toList();
      all = until.isEmpty() ? until : until.subList(until.size() - 1, until.size());
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("key", key);
    tree.put("revisions", Trees.list(all, Trees::revision));
    return Answer.json(tree);
  }

  private Answer statistics(Call call) {
    EngineStatistics all = subject.loop().engineStatistics();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("total", all.total());
    tree.put("failures", all.failures());
    tree.put("transactions", counts(all.transactions()));
    tree.put("operations", counts(all.operations()));
    tree.put("noops", all.noops());
    tree.put("states", counts(all.states()));
    tree.put("calls", Trees.list(all.calls(), Transactions::call));
    return Answer.json(tree);
  }

  private static Map<String, Object> counts(Map<? extends Enum<?>, Long> counts) {
    Map<String, Object> tree = new TreeMap<>();
    counts.forEach((what, count) -> tree.put(Trees.word(what), count));
    return tree;
  }

  private static Object call(EngineStatistics.Calls calls) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("name", calls.name());
    tree.put("sort", calls.sort());
    tree.put("returned", calls.returned());
    tree.put("failed", calls.failed());
    tree.put("timedOut", calls.timedOut());
    tree.put("leastMicros", Trees.micros(calls.least()));
    tree.put("meanMicros", Trees.micros(calls.mean()));
    tree.put("mostMicros", Trees.micros(calls.most()));
    return tree;
  }

  /** How a transaction is shown. */
  private enum Format {
    JSON,
    TEXT
  }
}
