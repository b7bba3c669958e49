package dev.evenkeel.store.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One successful system call of a trace, when it has returned; or, for what a process says on its
 * standard output, when it began to: from then on somebody may have read it.
 *
 * @param name of the call
 * @param text its arguments, strings in hexadecimal
 * @param longResult what it has returned
 */
record TracedCall(String name, String text, long longResult) {
  private static final Pattern LINE =
      Pattern.compile("(\\d+) +(\\w+)\\((.*)\\) += (-?\\d+)(?: .*)?", Pattern.DOTALL);
  private static final Pattern BEGUN =
      Pattern.compile("(\\d+) +(\\w+\\(.*?) *<unfinished \\.\\.\\.>");
  private static final Pattern ENDED = Pattern.compile("(\\d+) +<\\.\\.\\. \\w+ resumed>(.*)");

  /** All calls of a trace that have succeeded, in order. */
  static List<TracedCall> read(Path trace) throws IOException {
    List<TracedCall> calls = new ArrayList<>();
    Map<String, String> begun = new HashMap<>();
    try (BufferedReader lines = Files.newBufferedReader(trace, UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher first = BEGUN.matcher(line);
        if (first.matches()) {
          if (first.group(2).startsWith("write(1,")) {
            calls.add(new TracedCall("write", first.group(2).substring(6), 0));
          } else {
            begun.put(first.group(1), first.group(2));
          }
          continue;
        }
        Matcher second = ENDED.matcher(line);
        String whole = line;
        if (second.matches()) {
          String start = begun.remove(second.group(1));
          whole = second.group(1) + " " + start + second.group(2);
        }
        Matcher call = LINE.matcher(whole);
        if (call.matches() && !call.group(4).startsWith("-")) {
          calls.add(new TracedCall(call.group(2), call.group(3), Long.parseLong(call.group(4))));
        }
      }
    }
    return calls;
  }

  int result() {
    return (int) longResult;
  }

  /** The file that it is about. */
  int fd() {
    String first = text.split(",", 2)[0].strip();
    return first.matches("\\d+") ? Integer.parseInt(first) : -1;
  }

  /** Whether it writes that line to the standard output. */
  boolean says(String line) {
    return name.equals("write") && fd() == 1 && new String(string(0), UTF_8).strip().equals(line);
  }

  /** A path among its arguments. */
  String path(int index) {
    return new String(string(index), UTF_8);
  }

  /** What it has written: all of it, or as much as it says. */
  byte[] data() {
    byte[] data = string(0);
    return longResult > 0 && longResult < data.length
        ? java.util.Arrays.copyOf(data, (int) longResult)
        : data;
  }

  long lastNumber() {
    return Long.parseLong(text.substring(text.lastIndexOf(',') + 1).strip());
  }

  private byte[] string(int index) {
    int from = -1;
    int to = -1;
    for (int i = 0; i <= index; i++) {
      from = text.indexOf('"', to + 1) + 1;
      to = text.indexOf('"', from);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream((to - from) / 4);
    for (int i = from; i < to; i += 4) {
      bytes.write(
          (Character.digit(text.charAt(i + 2), 16) << 4) + Character.digit(text.charAt(i + 3), 16));
    }
    return bytes.toByteArray();
  }
}
