package dev.evenkeel.controller.core;

import dev.evenkeel.api.txn.Ref;
import dev.evenkeel.api.txn.Results;

/** Nothing has run. */
enum NoResults implements Results {
  NONE;

  @Override
  public <T> T get(Ref<T> ref) {
    throw new IllegalStateException("step " + ref.name() + " has not run");
  }
}
