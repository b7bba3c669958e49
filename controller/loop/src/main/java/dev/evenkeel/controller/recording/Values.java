package dev.evenkeel.controller.recording;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Failure;
import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.codec.jackson.JacksonCodecs;
import dev.evenkeel.codec.jackson.Json;
import dev.evenkeel.codec.jackson.Limits;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What calls returned, as trees and back. The class of a value is known from the step or the
 * descriptor that it belongs to, never from the recording.
 */
final class Values {
  static final Json JSON = new Json(Limits.EVENTS);

  private final JacksonCodecs codecs;

  Values(JacksonCodecs codecs) {
    this.codecs = codecs;
  }

  /** A value of that class; {@code Json.NULL} for a class that cannot be stored. */
  <T> Object tree(Class<T> type, Object value) {
    return JSON.parse(codecs.toText(type, type.cast(value)));
  }

  <T> T value(Class<T> type, Object tree) {
    return codecs.fromText(type, JSON.write(tree));
  }

  /** A value for people and for comparing: as stored, or in its own words. */
  Object shown(Object value) {
    try {
      return tree(value.getClass(), value);
    } catch (InvalidInputException unstorable) {
      return value.toString();
    }
  }

  <T> Object probe(Class<T> type, Probe<?> probe) {
    SortedMap<String, Object> tree = new TreeMap<>();
    if (probe instanceof Probe.Present<?> present) {
      tree.put("found", "present");
      tree.put("value", tree(type, present.value()));
    } else if (probe instanceof Probe.Partial<?> partial) {
      tree.put("found", "partial");
      tree.put("detail", partial.detail());
    } else {
      tree.put("found", "absent");
    }
    return tree;
  }

  <T> Probe<T> probe(Class<T> type, SortedMap<String, Object> tree) {
    return switch (Trees.text(tree, "found")) {
      case "present" -> Probe.present(value(type, Trees.get(tree, "value")));
      case "partial" -> Probe.partial(Trees.text(tree, "detail"));
      case "absent" -> Probe.absent();
      default -> throw Trees.malformed("found");
    };
  }

  /** What was thrown, as far as anybody decides by it: kind and text. */
  static Object thrown(Throwable thrown) {
    Failure failure = Failure.of("", "", thrown);
    SortedMap<String, Object> tree = new TreeMap<>();
    tree.put("kind", failure.kind().name());
    tree.put("message", failure.message());
    return tree;
  }

  static EvenkeelException thrown(SortedMap<String, Object> tree) {
    return new EvenkeelException(
        ErrorKind.valueOf(Trees.text(tree, "kind")), Trees.text(tree, "message"));
  }
}
