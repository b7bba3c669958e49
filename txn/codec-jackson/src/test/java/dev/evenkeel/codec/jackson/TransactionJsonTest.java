package dev.evenkeel.codec.jackson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.event.EventMethod;
import dev.evenkeel.api.txn.GraphNode;
import dev.evenkeel.api.txn.GraphSnapshot;
import dev.evenkeel.api.txn.OperationFlag;
import dev.evenkeel.api.txn.OperationRecord;
import dev.evenkeel.api.txn.Origin;
import dev.evenkeel.api.txn.StepRecord;
import dev.evenkeel.api.txn.TransactionKind;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionRecord;
import dev.evenkeel.api.txn.ValueOperation;
import dev.evenkeel.api.txn.ValueRevision;
import dev.evenkeel.api.txn.ValueState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TransactionJsonTest {
  private static final Failure FAILURE =
      new Failure(
          Optional.of("/a/1/i"),
          Optional.of("/a/1"),
          "h",
          "create",
          ErrorKind.INTERNAL,
          "E",
          List.of("and then"));

  private static final TransactionRecord RECORD =
      new TransactionRecord(
          7,
          TransactionKind.RETRY,
          EventMethod.UPDATE,
          "what for",
          Optional.of(new TransactionRecord.RetryOf(3, 2)),
          List.of(
              new TransactionRecord.RecordedValue("/a/1", Optional.of("v"), Origin.NORTH, "h"),
              new TransactionRecord.RecordedValue("/a/2", Optional.empty(), Origin.NORTH, "h")),
          Optional.of(List.of()),
          List.of(
              new OperationRecord(
                  ValueOperation.CREATE,
                  "/a/1/i",
                  "/a/1",
                  "h",
                  ValueState.RETRYING,
                  ValueState.FAILED,
                  Optional.empty(),
                  Optional.of("v"),
                  Optional.of(FAILURE),
                  Optional.of(FAILURE),
                  Set.of(OperationFlag.DERIVED))),
          List.of(
              new StepRecord(
                  "image", "h", StepRecord.Act.DONE, Optional.empty(), Duration.ofMillis(2))),
          Instant.EPOCH,
          Optional.of(Instant.EPOCH.plusMillis(5)),
          false,
          Optional.of(TransactionOutcome.APPLIED_WITH_FAILURES),
          List.of(FAILURE),
          false);

  private static final GraphNode NODE =
      new GraphNode(
          "/a/1",
          Optional.empty(),
          Optional.of("DA"),
          "h",
          Origin.NORTH,
          ValueState.PENDING,
          false,
          ValueOperation.CREATE,
          Optional.empty(),
          List.of("the other"),
          Optional.of("v"),
          Optional.empty(),
          false,
          List.of(new GraphNode.Target("the other", List.of("/a/2"), false)),
          7,
          Instant.EPOCH);

  private static final String FAILURE_JSON =
      "{\"base\":\"/a/1\",\"key\":\"/a/1/i\",\"kind\":\"INTERNAL\",\"message\":\"E\","
          + "\"operation\":\"create\",\"owner\":\"h\",\"suppressed\":[\"and then\"]}";

  private static final String NODE_JSON =
      "{\"available\":false,\"descriptor\":\"DA\",\"desired\":\"v\",\"details\":[\"the other\"],"
          + "\"key\":\"/a/1\",\"last\":\"CREATE\",\"metadata\":false,\"origin\":\"NORTH\","
          + "\"owner\":\"h\",\"state\":\"PENDING\",\"targets\":[{\"keys\":[\"/a/2\"],"
          + "\"label\":\"the other\",\"met\":false}],\"time\":\"1970-01-01T00:00:00Z\","
          + "\"transaction\":7}";

  /** The node so many times. */
  private record Graph(int nodes) implements GraphSnapshot {
    @Override
    public long transaction() {
      return 7;
    }

    @Override
    public Instant time() {
      return Instant.EPOCH;
    }

    @Override
    public Optional<GraphNode> node(String key) {
      return Optional.of(NODE);
    }

    @Override
    public void forEach(String prefix, Consumer<GraphNode> visitor) {
      for (int i = 0; i < nodes; i++) {
        visitor.accept(NODE);
      }
    }
  }

  @Test
  @DisplayName("A record as JSON holds all that it has, and says of which form it is")
  void record() {
    assertEquals(
        "{\"attempt\":2,\"description\":\"what for\",\"dryRun\":false,\"executed\":["
            + "{\"after\":\"FAILED\",\"base\":\"/a/1\",\"before\":\"RETRYING\",\"current\":\"v\","
            + "\"failure\":"
            + FAILURE_JSON
            + ",\"flags\":[\"DERIVED\"],\"key\":\"/a/1/i\","
            + "\"marks\":[\"DERIVED\",\"STILL-FAILING\"],\"operation\":\"CREATE\",\"owner\":\"h\","
            + "\"previousFailure\":"
            + FAILURE_JSON
            + "}],\"failures\":["
            + FAILURE_JSON
            + "],\"kind\":\"RETRY\",\"method\":\"UPDATE\",\"number\":7,"
            + "\"outcome\":\"APPLIED_WITH_FAILURES\",\"planned\":[],\"retryOf\":3,"
            + "\"running\":false,\"shortened\":false,\"start\":\"1970-01-01T00:00:00Z\","
            + "\"steps\":[{\"act\":\"DONE\",\"duration\":\"PT0.002S\",\"name\":\"image\","
            + "\"owner\":\"h\"}],\"stop\":\"1970-01-01T00:00:00.005Z\",\"values\":["
            + "{\"key\":\"/a/1\",\"origin\":\"NORTH\",\"owner\":\"h\",\"value\":\"v\"},"
            + "{\"key\":\"/a/2\",\"origin\":\"NORTH\",\"owner\":\"h\"}],\"version\":1}",
        new TransactionJson().record(RECORD));
  }

  @Test
  @DisplayName("A graph as JSON holds its nodes and what they need")
  void graph() {
    assertEquals(
        "{\"nodes\":["
            + NODE_JSON
            + "],\"time\":\"1970-01-01T00:00:00Z\",\"transaction\":7,\"version\":1}",
        new TransactionJson().graph(new Graph(1), ""));
  }

  @Test
  @DisplayName("A timeline as JSON tells when a value was gone")
  void timeline() {
    assertEquals(
        "{\"key\":\"/a/1\",\"revisions\":[{\"node\":"
            + NODE_JSON
            + ",\"time\":\"1970-01-01T00:00:00Z\",\"transaction\":7},"
            + "{\"time\":\"1970-01-01T00:00:01Z\",\"transaction\":8}],\"version\":1}",
        new TransactionJson()
            .timeline(
                "/a/1",
                List.of(
                    new ValueRevision(7, Instant.EPOCH, Optional.of(NODE)),
                    new ValueRevision(8, Instant.EPOCH.plusSeconds(1), Optional.empty()))));
  }

  @Test
  @DisplayName("Of a long list so many are written, and the rest is counted")
  void most() {
    TransactionJson few =
        new TransactionJson(Limits.VALUES, 2, 10, (key, value) -> value.toString());
    String graph = few.graph(new Graph(5), "");
    assertTrue(graph.startsWith("{\"leftOut\":3,"), graph);
    String records = few.records(List.of(RECORD, RECORD, RECORD));
    assertTrue(records.contains("\"transactionsLeftOut\":1"), records);
  }

  @Test
  @DisplayName("Long values are cut between characters; what JSON cannot hold is replaced")
  void cut() {
    TransactionJson brief =
        new TransactionJson(Limits.VALUES, 10, 4, (key, value) -> "abc\uD83D\uDE00\uD83Dxyz");

    assertEquals("abc\uD83D\uDE00…", value(brief));
    assertEquals("?x", value(new TransactionJson(Limits.VALUES, 10, 9, (key, value) -> "\uDE00x")));
  }

  private static Object value(TransactionJson of) {
    SortedMap<?, ?> tree = (SortedMap<?, ?>) new Json(Limits.VALUES).parse(of.record(RECORD));
    List<?> values = (List<?>) Objects.requireNonNull(tree.get("values"));
    return Objects.requireNonNull(((SortedMap<?, ?>) values.get(0)).get("value"));
  }

  @Test
  @DisplayName("A printer hides what it must; one that throws is noted without what it said")
  void printer() {
    String hidden =
        new TransactionJson(Limits.VALUES, 10, 100, (key, value) -> "***").record(RECORD);
    assertFalse(hidden.contains("\"v\""));
    String failing =
        new TransactionJson(
                Limits.VALUES,
                10,
                100,
                (key, value) -> {
                  throw new IllegalStateException("hunter2");
                })
            .record(RECORD);
    assertFalse(failing.contains("hunter2"));
    assertTrue(failing.contains("cannot be shown: IllegalStateException"));
  }

  @Test
  @DisplayName("Beyond its limits nothing is written")
  void limits() {
    TransactionJson small =
        new TransactionJson(new Limits(1_000, 32, 1_000), 100, 100, (key, value) -> "v");

    assertThrows(InvalidInputException.class, () -> small.graph(new Graph(50), ""));
  }
}
