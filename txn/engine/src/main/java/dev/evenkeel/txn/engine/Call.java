package dev.evenkeel.txn.engine;

import dev.evenkeel.api.txn.StepContext;
import dev.evenkeel.txn.Action;
import java.time.Duration;
import java.util.Optional;

/** A call of a descriptor or a step. Equal by identity: a late return names the very call. */
final class Call implements Action {
  /** What is run. */
  interface Body {
    Object run(StepContext context) throws Exception;
  }

  private final String by;
  private final Kind kind;
  private final String target;
  private final String owner;
  private final Optional<Duration> limit;
  private final boolean inline;
  private final Body body;

  /** Whose call it is: name of a descriptor, or steps. */
  Call(
      String by,
      Kind kind,
      String target,
      String owner,
      Optional<Duration> limit,
      boolean inline,
      Body body) {
    this.by = by;
    this.kind = kind;
    this.target = target;
    this.owner = owner;
    this.limit = limit;
    this.inline = inline;
    this.body = body;
  }

  String by() {
    return by;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public String owner() {
    return owner;
  }

  @Override
  public Optional<Duration> limit() {
    return limit;
  }

  @Override
  public boolean inline() {
    return inline;
  }

  @Override
  public Object run(StepContext context) throws Exception {
    return body.run(context);
  }

  @Override
  public String toString() {
    return kind + " " + target;
  }
}
