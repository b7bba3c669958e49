package dev.evenkeel.controller;

import dev.evenkeel.api.Failure;
import dev.evenkeel.api.loop.EventRecord;
import dev.evenkeel.api.loop.HandlerRecord;
import dev.evenkeel.api.txn.TransactionResult;
import dev.evenkeel.controller.core.ChainListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Writes the opening and the closing box of each event. On the loop thread; keeps a number for each
 * event that runs.
 */
final class BannerListener implements ChainListener {
  private final Banners banners;
  private final LongSupplier nanos;
  private final Map<Long, Long> begun = new HashMap<>();

  BannerListener(Banners banners, LongSupplier nanos) {
    this.banners = banners;
    this.nanos = nanos;
  }

  @Override
  public void onBegin(EventRecord record) {
    if (banners.wanted()) {
      begun.put(record.sequence(), nanos.getAsLong());
    }
  }

  @Override
  public void onChain(EventRecord record) {
    if (banners.wanted()) {
      Box box = header(record, "begins").line(0, record.description());
      box.line(
          0,
          record.chain().isEmpty()
              ? "handlers: none, the engine alone"
              : "handlers: " + String.join(" > ", record.chain()));
      banners.write(box);
    }
  }

  @Override
  public void onEnd(EventRecord record) {
    Long from = begun.remove(record.sequence());
    if (!banners.wanted()) {
      return;
    }
    String took = from == null ? "" : " after " + text(Duration.ofNanos(nanos.getAsLong() - from));
    Box box = header(record, record.outcome().orElse("ends") + took);
    handlers(box, record.handlers());
    record.transaction().ifPresent(transaction -> transaction(box, transaction));
    for (Failure failure : record.failures()) {
      if (!isToldAlready(record, failure)) {
        box.line(0, "error: " + failure);
      }
    }
    banners.write(box);
  }

  private Box header(EventRecord record, String what) {
    String parent = record.parent().map(number -> ", follows up #" + number).orElse("");
    return banners
        .box()
        .line(
            0,
            "#"
                + record.sequence()
                + " "
                + record.type()
                + " ("
                + record.id()
                + parent
                + "): "
                + what);
  }

  private static void handlers(Box box, List<HandlerRecord> calls) {
    List<String> handled = new ArrayList<>();
    List<String> reverted = new ArrayList<>();
    for (HandlerRecord call : calls) {
      if (call.failure().isEmpty()) {
        (call.revert() ? reverted : handled).add(call.handler() + " " + text(call.duration()));
      }
    }
    box.line(0, "handled by: " + (handled.isEmpty() ? "none" : String.join(", ", handled)));
    for (HandlerRecord call : calls) {
      if (!call.change().isEmpty()) {
        box.line(2, call.handler() + ": " + call.change());
      }
    }
    for (HandlerRecord call : calls) {
      call.failure()
          .ifPresent(
              failure -> box.line(0, (call.revert() ? "error in revert: " : "error: ") + failure));
    }
    if (!reverted.isEmpty()) {
      box.line(0, "reverted: " + String.join(", ", reverted));
    }
  }

  private static void transaction(Box box, TransactionResult result) {
    String number = result.number() < 0 ? "" : " " + result.number();
    String outcome = result.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    box.line(0, "transaction" + number + ": " + outcome);
    result.failures().forEach(failure -> box.line(2, "error: " + failure));
  }

  private static boolean isToldAlready(EventRecord record, Failure failure) {
    return record.handlers().stream()
            .anyMatch(call -> call.failure().filter(failure::equals).isPresent())
        || record.transaction().filter(done -> done.failures().contains(failure)).isPresent();
  }

  private static String text(Duration took) {
    return String.format(Locale.ROOT, "%.3f ms", took.toNanos() / 1e6);
  }
}
