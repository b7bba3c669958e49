package dev.evenkeel.txn.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.evenkeel.api.Key;
import dev.evenkeel.api.KeyType;
import dev.evenkeel.api.txn.CommitOptions;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.api.txn.NoMetadata;
import dev.evenkeel.api.txn.RetryPolicy;
import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.api.txn.TransactionEngine;
import dev.evenkeel.api.txn.TransactionOutcome;
import dev.evenkeel.api.txn.TransactionResult;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The example of {@link TransactionEngines}, compiled and run. */
class LinksExampleTest {
  /** How a link is made and removed; the outside is a map. */
  private record LinkDescriptor(Map<String, String> links)
      implements Descriptor<String, NoMetadata> {
    @Override
    public String name() {
      return "links";
    }

    @Override
    public KeyType<String> type() {
      return Thing.TYPE;
    }

    @Override
    public NoMetadata create(Key<String> key, String value, StepContext context) {
      links.put(key.path(), value);
      return NoMetadata.NONE;
    }

    @Override
    public void delete(Key<String> key, String value, NoMetadata metadata, StepContext context) {
      links.remove(key.path());
    }
  }

  @Test
  @DisplayName("An engine on its own applies a value, and takes it away")
  void example() throws InterruptedException {
    Map<String, String> links = new ConcurrentSkipListMap<>();
    try (TransactionEngine engine =
        TransactionEngines.builder("links").descriptors(new LinkDescriptor(links)).start()) {
      TransactionEngine.Commit commit =
          engine.commit(
              CommitOptions.update("the first link"),
              txn -> txn.put(new Thing("eth0"), "up", RetryPolicy.DEFAULT),
              Duration.ZERO);
      TransactionResult result = commit.result().toCompletableFuture().join();
      assertEquals(TransactionOutcome.APPLIED, result.outcome());
      assertEquals("{/t/eth0=up}", links.toString());

      TransactionEngine.Commit away =
          engine.commit(
              CommitOptions.update("no link"),
              txn -> txn.delete(new Thing("eth0")),
              Duration.ofSeconds(1));
      assertEquals(1, away.result().toCompletableFuture().join().number());
      assertEquals("{}", links.toString());
    }
  }
}
