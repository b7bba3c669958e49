package dev.evenkeel.csi;

import io.grpc.stub.StreamObserver;

/** Goes on with something else instead of answering; a refusal is passed on. */
record Then<A>(StreamObserver<A> to, Runnable next) implements StreamObserver<A> {
  @Override
  public void onNext(A answer) {}

  @Override
  public void onError(Throwable thrown) {
    to.onError(thrown);
  }

  @Override
  public void onCompleted() {
    next.run();
  }
}
