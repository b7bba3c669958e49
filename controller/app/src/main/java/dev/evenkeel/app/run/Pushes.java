package dev.evenkeel.app.run;

import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.app.serve.Answer;
import dev.evenkeel.app.serve.Call;
import dev.evenkeel.app.serve.Problem;
import dev.evenkeel.app.serve.Pushing;
import dev.evenkeel.app.serve.Route;
import dev.evenkeel.app.workload.Entry;
import dev.evenkeel.app.workload.WorkloadReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Takes events of volumes over HTTP: a line of a workload each (docs/demo/README.md). */
final class Pushes {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Session session;
  private final boolean faultsAllowed;

  Pushes(Session session, boolean faultsAllowed) {
    this.session = session;
    this.faultsAllowed = faultsAllowed;
  }

  List<Route> routes() {
    return List.of(
        Route.post(
                "/api/v1/events",
                "events",
                "Pushes an event of a volume, a line of a workload, and waits for its end.",
                this::push)
            .takingRaw());
  }

  private Answer push(Call call) throws IOException, InterruptedException {
    call.params().check();
    Entry.Wanted wanted = read(call.body());
    boolean fails = wanted.fault().isPresent() && wanted.request() instanceof CreateVolume;
    String name = wanted.request() instanceof CreateVolume create ? create.name() : "";
    if (fails) {
      session.faults().arm(name);
    }
    try {
      return answer(Pushing.push(session.loop(), wanted.request()));
    } finally {
      if (fails) {
        session.faults().disarm(name);
      }
    }
  }

  private static Answer answer(Submission<?> submission) throws InterruptedException {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("id", submission.id().toString());
    try {
      Outcome<?> outcome = submission.await(LIMIT);
      tree.put("outcome", outcome.word());
      tree.put("failures", outcome.failures().stream().map(Object::toString).toList());
      return Answer.json(tree);
    } catch (TimeoutException stillRuns) {
      return Answer.accepted(tree);
    }
  }

  private Entry.Wanted read(byte[] body) throws IOException {
    String line = new String(body, StandardCharsets.UTF_8).strip().replaceAll("[\r\n]+", " ");
    byte[] text = line.getBytes(StandardCharsets.UTF_8);
    try (WorkloadReader reader =
        new WorkloadReader("body", new ByteArrayInputStream(text), faultsAllowed)) {
      Entry entry = reader.next();
      if (entry instanceof Entry.Wanted wanted) {
        return wanted;
      }
      if (entry instanceof Entry.Invalid invalid) {
        throw Problem.of(400, String.join("; ", invalid.faults()));
      }
      throw Problem.of(400, "the body is an event: {\"event\":\"create-volume\", ...}");
    }
  }
}
