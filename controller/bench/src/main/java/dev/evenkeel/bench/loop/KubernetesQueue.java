package dev.evenkeel.bench.loop;

import io.kubernetes.client.extended.workqueue.DefaultWorkQueue;
import io.kubernetes.client.extended.workqueue.WorkQueue;
import java.util.concurrent.CompletableFuture;

/**
 * The work queue of kubernetes-client/java with one worker: add, get, the puts, done. No two items
 * are equal, so it never merges two.
 */
final class KubernetesQueue implements Contestant {
  private final Puts puts = new Puts();
  private final WorkQueue<Job> queue = new DefaultWorkQueue<>();
  private final Thread worker = new Thread(this::work, "worker");

  private record Job(Item item, CompletableFuture<Object> future) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Job job && job.item.equals(item);
    }

    @Override
    public int hashCode() {
      return item.hashCode();
    }
  }

  KubernetesQueue() {
    worker.setDaemon(true);
    worker.start();
  }

  private void work() {
    try {
      Job job = queue.get();
      while (job != null) {
        puts.work(job.item());
        queue.done(job);
        job.future().complete(Boolean.TRUE);
        job = queue.get();
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Object push(Item item) {
    Job job = new Job(item, new CompletableFuture<>());
    queue.add(job);
    return job.future();
  }

  @Override
  public void take(Object pending) {
    Futures.get(pending);
  }

  @Override
  public void close() {
    queue.shutDown(); // get() gives what is left, and then null
  }
}
