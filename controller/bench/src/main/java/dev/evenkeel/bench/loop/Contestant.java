package dev.evenkeel.bench.loop;

/**
 * One way to have one thread do three puts for each item, and to tell the pusher when it is done.
 * Any thread pushes; whoever pushes takes all that came of it, in the same order.
 */
interface Contestant extends AutoCloseable {
  /** Events that may be under way at a time; pushers keep to it together. */
  int WINDOW = 1024;

  /** Hands an item over; what it returns is given to {@link #take}. */
  Object push(Item item);

  /** Waits for the item to be done, and takes its result. */
  void take(Object pending);

  @Override
  void close();
}
