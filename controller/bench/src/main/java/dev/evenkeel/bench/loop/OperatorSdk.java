package dev.evenkeel.bench.loop;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.api.config.BaseConfigurationService;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.Controller;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.EventProcessor;
import io.javaoperatorsdk.operator.processing.event.EventSourceManager;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.controller.ControllerEventSource;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceAction;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceEvent;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The Java Operator SDK from event to reconciler, without an API server: its own {@code
 * EventProcessor} and dispatcher, with one worker. Only the cache of resources is a table instead
 * of an informer, and the reconciler says that nothing is to be updated. As it merges events of a
 * resource, every event that is under way has a resource of its own.
 *
 * <p>Driven like this it now and then leaves a resource lying. It is told of it again after a
 * while, as an informer that looks at everything anew would do.
 */
final class OperatorSdk implements Contestant {
  private static final int RESOURCES = 2 * WINDOW;
  private static final String NAMESPACE = "bench";
  private static final long PATIENCE_MILLIS = 100;
  private static final int MOST_TRIES = 300;

  private final Puts puts = new Puts();
  private final Job[] jobs = new Job[RESOURCES];
  private final ConfigMap[] resources = new ConfigMap[RESOURCES];
  private final Event[] events = new Event[RESOURCES];
  private final Queue<Integer> free = new ConcurrentLinkedQueue<>();
  private final KubernetesClient client = new KubernetesClientBuilder().build();
  private final EventProcessor<ConfigMap> processor;

  /** An item under way, at a resource. */
  private record Job(int at, Item item, CompletableFuture<Object> future) {}

  /** Everything as usual, but one worker. */
  private static final class OneWorker extends BaseConfigurationService {
    @Override
    public int concurrentReconciliationThreads() {
      return 1;
    }
  }

  /** Puts, and completes the future. Not to be called again just because time has passed. */
  @ControllerConfiguration(
      maxReconciliationInterval =
          @MaxReconciliationInterval(interval = Constants.NO_MAX_RECONCILIATION_INTERVAL))
  private final class Putting implements Reconciler<ConfigMap> {
    @Override
    public UpdateControl<ConfigMap> reconcile(ConfigMap resource, Context<ConfigMap> context) {
      Job job = jobs[Integer.parseInt(resource.getMetadata().getName())];
      puts.work(job.item());
      job.future().complete(Boolean.TRUE);
      return UpdateControl.noUpdate();
    }
  }

  OperatorSdk() {
    for (int i = 0; i < RESOURCES; i++) {
      String name = Integer.toString(i);
      resources[i] =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withName(name)
              .withNamespace(NAMESPACE)
              .endMetadata()
              .build();
      events[i] =
          new ResourceEvent(ResourceAction.UPDATED, new ResourceID(name, NAMESPACE), resources[i]);
      free.add(i);
    }
    OneWorker configuration = new OneWorker();
    Putting reconciler = new Putting();
    Controller<ConfigMap> controller =
        new Controller<>(reconciler, configuration.getConfigurationFor(reconciler), client);
    ControllerEventSource<ConfigMap> table =
        new ControllerEventSource<>(controller) {
          @Override
          public Optional<ConfigMap> get(ResourceID id) {
            return Optional.of(resources[Integer.parseInt(id.getName())]);
          }
        };
    EventSourceManager<ConfigMap> manager =
        new EventSourceManager<>(controller) {
          @Override
          public ControllerEventSource<ConfigMap> getControllerEventSource() {
            return table;
          }
        };
    processor = new EventProcessor<>(manager, configuration);
    processor.start();
  }

  @Override
  public Object push(Item item) {
    int at = free.remove();
    Job job = new Job(at, item, new CompletableFuture<>());
    jobs[at] = job;
    processor.handleEvent(events[at]);
    return job;
  }

  @Override
  public void take(Object pending) {
    Job job = (Job) pending;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      if (isDone(job)) {
        free.add(job.at());
        return;
      }
      processor.handleEvent(events[job.at()]);
    }
    throw new IllegalStateException("an item was not done");
  }

  private static boolean isDone(Job job) {
    try {
      job.future().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException again) {
      return false;
    } catch (ExecutionException | InterruptedException failed) {
      throw new IllegalStateException("an item was not done", failed);
    }
  }

  @Override
  public void close() {
    processor.stop();
    client.close();
  }
}
