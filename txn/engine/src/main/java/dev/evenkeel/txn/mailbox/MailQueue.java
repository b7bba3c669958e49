package dev.evenkeel.txn.mailbox;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queue: first in first out, with a limit on what others ask for. What is queued gets its
 * number here, so that the order of numbers is that of the queue. Any thread.
 */
final class MailQueue {
  private final int capacity;
  private final EngineClock clock;
  private final ArrayDeque<Mail> mails = new ArrayDeque<>();
  private final Set<Thread> waitingForRoom = new LinkedHashSet<>();
  private int asked;
  private long numbers;
  private boolean closed;
  private @Nullable Mail lastBarrier;

  MailQueue(int capacity, EngineClock clock) {
    this.capacity = capacity;
    this.clock = clock;
  }

  /** What came of putting something in. */
  enum Put {
    QUEUED,
    FULL,
    CLOSED
  }

  /** Queues what somebody asks for, and waits for room as long as said. */
  Put ask(Mail mail, Duration maxWait) throws InterruptedException {
    Put put = offer(mail);
    if (put != Put.FULL || maxWait.isNegative() || maxWait.isZero()) {
      return put;
    }
    Instant until = clock.now().plus(maxWait);
    try {
      while (put == Put.FULL && clock.now().isBefore(until)) {
        if (Thread.interrupted()) {
          throw new InterruptedException("while waiting for room in the queue");
        }
        if (stillFull()) {
          clock.park(Optional.of(until));
        }
        put = offer(mail);
      }
    } finally {
      forget();
    }
    return put;
  }

  private synchronized boolean stillFull() {
    waitingForRoom.add(Thread.currentThread());
    return asked >= capacity && !closed;
  }

  private synchronized void forget() {
    waitingForRoom.remove(Thread.currentThread());
  }

  private synchronized Put offer(Mail mail) {
    if (closed) {
      return Put.CLOSED;
    }
    if (asked >= capacity) {
      return Put.FULL;
    }
    asked++;
    add(mail);
    return Put.QUEUED;
  }

  /** Queues something of the engine's own; false when closed. */
  synchronized boolean own(Mail mail) {
    if (!closed) {
      add(mail);
    }
    return !closed;
  }

  private void add(Mail mail) {
    mail.number = numbers++;
    mails.add(mail);
  }

  /** A barrier at the end of the queue: the one that stands there already, or a new one. */
  synchronized Optional<Mail> barrier(Mail fresh) {
    if (closed) {
      return Optional.empty();
    }
    Mail last = mails.peekLast();
    if (last != null && last == lastBarrier) {
      return Optional.of(last);
    }
    lastBarrier = fresh;
    mails.add(fresh);
    return Optional.of(fresh);
  }

  /** The next one, or nothing now. */
  synchronized @Nullable Mail poll() {
    Mail mail = mails.poll();
    if (mail != null) {
      left(mail);
    }
    return mail;
  }

  private void left(Mail mail) {
    if (mail.sort == Mail.Sort.ASKED) {
      asked--;
      waitingForRoom.forEach(clock::wake);
    }
  }

  /** Takes one out again; false when it is not in it any more. */
  synchronized boolean remove(Mail mail) {
    boolean removed = mails.remove(mail);
    if (removed) {
      left(mail);
    }
    return removed;
  }

  synchronized boolean isEmpty() {
    return mails.isEmpty();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Takes nothing any more; gives what waited. Empty when it was closed already. */
  synchronized List<Mail> close() {
    closed = true;
    List<Mail> waiting = new ArrayList<>(mails);
    mails.clear();
    asked = 0;
    waitingForRoom.forEach(clock::wake);
    return waiting;
  }
}
