package dev.evenkeel.controller;

import dev.evenkeel.api.Experimental;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A box in the log when an event begins, and one when it has ended: for those who debug handlers.
 * Given to {@link EventLoops.Builder#banners}; off without it, since writing them costs more than
 * most events. Each box is cut off at a limit. They hold what the history holds: no payload and no
 * secret. Immutable.
 */
@Experimental("what stands in a box may change")
public final class Banners {
  private static final Logger LOG = LoggerFactory.getLogger(Banners.class);
  private static final int USUAL = 8 * 1024;
  private static final int LEAST = 1024;
  private static final int MOST = 1 << 20;

  private final BooleanSupplier wanted;
  private final Consumer<String> sink;
  private final int most;

  private Banners(BooleanSupplier wanted, Consumer<String> sink, int most) {
    this.wanted = wanted;
    this.sink = sink;
    this.most = most;
  }

  /** To this class's logger, at INFO. */
  public static Banners atInfo() {
    return new Banners(LOG::isInfoEnabled, box -> LOG.info("{}", box), USUAL);
  }

  /** To this class's logger, at DEBUG; while that is off, nothing is written. */
  public static Banners atDebug() {
    return new Banners(LOG::isDebugEnabled, box -> LOG.debug("{}", box), USUAL);
  }

  /**
   * To somebody else.
   *
   * @param sink gets one box at a time, lines between line feeds; on the loop thread, so it must
   *     not block
   */
  public static Banners to(Consumer<String> sink) {
    return new Banners(() -> true, Objects.requireNonNull(sink, "sink"), USUAL);
  }

  /**
   * The same with another limit for a box, 8,192 characters unless said otherwise.
   *
   * @param most from 1,024 to 1,048,576
   */
  public Banners mostCharacters(int most) {
    if (most < LEAST || most > MOST) {
      throw new IllegalArgumentException("must be from " + LEAST + " to " + MOST + ": " + most);
    }
    return new Banners(wanted, sink, most);
  }

  boolean wanted() {
    return wanted.getAsBoolean();
  }

  void write(Box box) {
    sink.accept(box.text());
  }

  Box box() {
    return new Box(most);
  }
}
