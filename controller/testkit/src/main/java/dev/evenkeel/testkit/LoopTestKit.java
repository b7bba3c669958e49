package dev.evenkeel.testkit;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.event.DatastoreResync;
import dev.evenkeel.api.event.Event;
import dev.evenkeel.api.event.EventCodec;
import dev.evenkeel.api.event.InputState;
import dev.evenkeel.api.event.Request;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.loop.Submission;
import dev.evenkeel.api.txn.Descriptor;
import dev.evenkeel.controller.EventLoops;
import dev.evenkeel.controller.core.LoopConfig;
import dev.evenkeel.controller.manual.ManualClock;
import dev.evenkeel.controller.manual.ManualLoop;
import dev.evenkeel.controller.recording.Recorder;
import dev.evenkeel.controller.recording.RecorderOptions;
import dev.evenkeel.controller.recording.RecordingCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole loop on the test's own thread: real gate, order, transactions, revert and healing, a
 * clock that is turned by hand, and nothing that sleeps. Called by tests, by one thread; get one as
 * a parameter with {@link LoopExtension}.
 *
 * <pre>{@code
 * kit.handlers(quota, allocator)
 *     .given(InputState.empty())
 *     .when(new VolumeRequested("data", gib(10)))
 *     .reverted()
 *     .trace("quota.U", "allocator.U", "quota.V");
 * }</pre>
 */
public final class LoopTestKit implements AutoCloseable {
  private static final long SEED = 42;

  private final ManualClock clock = new ManualClock();
  private final EventLoops.Builder builder = EventLoops.builder("test").seed(() -> SEED);
  private @Nullable Recorder recorder;
  private @Nullable ManualLoop loop;

  private LoopTestKit() {}

  /** A kit whose loop is built when it is first used. */
  public static LoopTestKit create() {
    return new LoopTestKit();
  }

  /** The handlers, in order. Before the first event. */
  public LoopTestKit handlers(EventHandler... handlers) {
    return handlers(List.of(handlers));
  }

  /** The handlers, in order. Before the first event. */
  public LoopTestKit handlers(Collection<? extends EventHandler> handlers) {
    builder().handlers(handlers);
    return this;
  }

  /** How values reach the outside. Before the first event. */
  public LoopTestKit descriptors(Descriptor<?, ?>... descriptors) {
    builder().descriptors(descriptors);
    return this;
  }

  /** Where operations keep their journal and records. Before the first event. */
  public LoopTestKit datastore(Datastore store, EventCodec events) {
    builder().datastore(store, events);
    return this;
  }

  /** Other numbers than the usual ones. Before the first event. */
  public LoopTestKit config(LoopConfig config) {
    builder().config(config);
    return this;
  }

  /**
   * Records the run into a new file, to be replayed with {@link Replays}. Before the first event.
   */
  public LoopTestKit recordTo(Path file, RecordingCodec codec) {
    EventLoops.Builder open = builder();
    Recorder begun = Recorder.to(file, codec);
    recorder = begun;
    open.observer(begun);
    return this;
  }

  /** The same into a folder of segments. Before the first event. */
  @Experimental
  public LoopTestKit recordIn(Path folder, RecordingCodec codec, RecorderOptions options) {
    EventLoops.Builder open = builder();
    Recorder begun = Recorder.in(folder, codec, options);
    recorder = begun;
    open.observer(begun);
    return this;
  }

  private EventLoops.Builder builder() {
    if (loop != null) {
      throw new IllegalStateException("the loop runs already: set it up before the first event");
    }
    return builder;
  }

  /** The loop, with everything that only it can: calls that are held back, status, values. */
  public ManualLoop loop() {
    ManualLoop known = loop;
    if (known == null) {
      known = builder.manual(clock);
      loop = known;
    }
    return known;
  }

  /** Opens the gate with nothing in the datastore. */
  public LoopTestKit given() {
    return given(InputState.empty());
  }

  /** Resyncs with that input state, which must succeed: the first one opens the gate. */
  public LoopTestKit given(InputState state) {
    var unused = when(DatastoreResync.of(state)).applied();
    return this;
  }

  /** Pushes an event, and runs until nothing is left to do now. */
  public Then<Void> when(Event event) {
    return then(loop().pushEvent(event));
  }

  /** Pushes a request, and runs until nothing is left to do now. */
  public <R> Then<R> when(Request<R> request) {
    return then(loop().pushEvent(request));
  }

  private <R> Then<R> then(Submission<R> submission) {
    loop().run();
    return new Then<>(loop(), submission);
  }

  /** Turns the clock, and runs what becomes due on the way. */
  public LoopTestKit advance(Duration by) {
    loop().advance(by);
    return this;
  }

  /** Closes the loop, with the shutdown update, and the recording. Idempotent. */
  @Override
  public void close() {
    if (loop != null) {
      loop.close();
    }
    if (recorder != null) {
      recorder.close();
    }
  }
}
