package dev.evenkeel.csi;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * How many volumes a node may take: those that are stored as published to it, and those that are
 * being published. Who publishes holds a place until the outcome is known, so that some at a time
 * cannot get past the limit together. For the one process that leads; any thread.
 */
final class Places {
  private final Reading reading;
  private final int most;

  /** Volumes that are being published to a node, each as often as it is asked for. */
  private final Map<String, List<String>> going = new HashMap<>();

  Places(Reading reading, int most) {
    this.reading = reading;
    this.most = most;
  }

  /** A place to be, given back with the answer. */
  <A> Place<A> of(String volume, String node, StreamObserver<A> to) {
    return new Place<>(volume, node, to);
  }

  private synchronized void take(String volume, String node) {
    List<String> mine = going.computeIfAbsent(node, name -> new ArrayList<>());
    Set<String> all = new TreeSet<>(mine);
    all.addAll(reading.volumesOn(node));
    if (all.size() >= most && !all.contains(volume)) {
      throw new EvenkeelException(
          ErrorKind.RESOURCE_EXHAUSTED, "node " + node + " has its " + most + " volumes");
    }
    mine.add(volume);
  }

  private synchronized void leave(String volume, String node) {
    List<String> mine = going.getOrDefault(node, new ArrayList<>());
    mine.remove(volume);
    if (mine.isEmpty()) {
      going.remove(node);
    }
  }

  /** One publish on its way. */
  final class Place<A> implements StreamObserver<A> {
    private final String volume;
    private final String node;
    private final StreamObserver<A> to;
    private boolean taken;

    private Place(String volume, String node, StreamObserver<A> to) {
      this.volume = volume;
      this.node = node;
      this.to = to;
    }

    /** Throws when there is no room; reads the store. */
    synchronized void take() {
      Places.this.take(volume, node);
      taken = true;
    }

    private synchronized void giveBack() {
      if (taken) {
        taken = false;
        leave(volume, node);
      }
    }

    @Override
    public void onNext(A answer) {
      giveBack();
      to.onNext(answer);
    }

    @Override
    public void onError(Throwable failure) {
      giveBack();
      to.onError(failure);
    }

    @Override
    public void onCompleted() {
      giveBack();
      to.onCompleted();
    }
  }
}
