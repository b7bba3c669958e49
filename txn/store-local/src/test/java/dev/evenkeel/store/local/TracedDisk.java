package dev.evenkeel.store.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A disk as a trace of system calls has made it, with what of it is certain to be there after the
 * power has failed: the bytes of a file as they were when it was last forced, the names in a
 * directory as they were when that was. What came after may be there, in part or not at all.
 */
final class TracedDisk {
  /** A file or a directory, whatever its names are. */
  static final class Node {
    final boolean directory;
    byte[] bytes = new byte[0];
    byte[] forced = new byte[0];
    Map<String, Node> names = new TreeMap<>();
    Map<String, Node> forcedNames = new TreeMap<>();

    Node(boolean directory) {
      this.directory = directory;
    }

    void force() {
      forced = bytes;
      forcedNames = new TreeMap<>(names);
    }

    void write(long at, byte[] data) {
      int end = Math.max(bytes.length, (int) at + data.length);
      byte[] grown = Arrays.copyOf(bytes, end);
      System.arraycopy(data, 0, grown, (int) at, data.length);
      bytes = grown;
    }
  }

  /** An open file of the traced process. */
  private static final class Open {
    final Node node;
    final boolean append;
    long at;

    Open(Node node, boolean append) {
      this.node = node;
      this.append = append;
    }
  }

  /** What a power cut leaves of what was not forced. */
  enum Data {
    NONE,
    PART,
    ZEROS,
    ALL
  }

  final Node root = new Node(true);
  private final String top;
  private final Map<Integer, Open> open = new HashMap<>();

  /** Of all below that folder, which exists and is empty. */
  TracedDisk(Path top) {
    this.top = top.toString();
  }

  /** The path below the top, in its parts; null when it is elsewhere. */
  private String @Nullable [] parts(String path) {
    if (path.equals(top)) {
      return new String[0];
    }
    return path.startsWith(top + "/") ? path.substring(top.length() + 1).split("/", -1) : null;
  }

  private @Nullable Node find(String path) {
    String[] parts = parts(path);
    Node at = parts == null ? null : root;
    for (int i = 0; parts != null && at != null && i < parts.length; i++) {
      at = at.names.get(parts[i]);
    }
    return at;
  }

  private @Nullable Node parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? null : find(path.substring(0, slash));
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** A successful call of the traced process. */
  void apply(TracedCall call) {
    switch (call.name()) {
      case "open", "openat", "creat" -> opened(call);
      case "close" -> open.remove(call.fd());
      case "mkdir", "mkdirat" -> put(call.path(0), new Node(true));
      case "unlink", "unlinkat", "rmdir" -> remove(call.path(0));
      case "rename", "renameat", "renameat2" -> rename(call.path(0), call.path(1));
      case "link", "linkat" -> {
        Node there = find(call.path(0));
        if (there != null) {
          put(call.path(1), there);
        }
      }
      default -> onOpen(call);
    }
  }

  private void put(String path, Node node) {
    Node folder = parent(path);
    if (folder != null) {
      folder.names.put(name(path), node);
    }
  }

  private void remove(String path) {
    Node folder = parent(path);
    if (folder != null) {
      folder.names.remove(name(path));
    }
  }

  private void rename(String from, String to) {
    Node node = find(from);
    if (node != null) {
      remove(from);
      put(to, node);
    }
  }

  private void opened(TracedCall call) {
    String path = call.path(0);
    open.remove(call.result());
    if (parts(path) == null) {
      return;
    }
    Node node = find(path);
    if (node == null && call.text().contains("O_CREAT")) {
      node = new Node(false);
      put(path, node);
    }
    if (node != null) {
      if (call.text().contains("O_TRUNC")) {
        node.bytes = new byte[0];
      }
      open.put(call.result(), new Open(node, call.text().contains("O_APPEND")));
    }
  }

  private void onOpen(TracedCall call) {
    Open file = open.get(call.fd());
    if (file == null) {
      return;
    }
    switch (call.name()) {
      case "write" -> {
        long at = file.append ? file.node.bytes.length : file.at;
        file.node.write(at, call.data());
        file.at = at + call.data().length;
      }
      case "pwrite64" -> file.node.write(call.lastNumber(), call.data());
      case "lseek" -> file.at = call.longResult();
      case "ftruncate" -> file.node.bytes = Arrays.copyOf(file.node.bytes, (int) call.lastNumber());
      case "fsync", "fdatasync" -> file.node.force();
      case "dup", "dup2", "dup3" -> open.put(call.result(), file);
      case "fallocate" -> allocate(file.node, call);
      default -> throw new AssertionError("a call that the model does not know: " + call.text());
    }
  }

  private static void allocate(Node node, TracedCall call) {
    if (!call.text().contains("FALLOC_FL_KEEP_SIZE") && call.lastNumber() > node.bytes.length) {
      node.bytes = Arrays.copyOf(node.bytes, (int) call.lastNumber());
    }
  }

  /** Writes what may be there after a power cut into an empty folder. */
  void write(Path into, boolean allNames, Data data, SplittableRandom random) throws IOException {
    write(root, into, allNames, data, random);
  }

  private static void write(
      Node node, Path into, boolean allNames, Data data, SplittableRandom random)
      throws IOException {
    for (Map.Entry<String, Node> entry : (allNames ? node.names : node.forcedNames).entrySet()) {
      Path path = into.resolve(entry.getKey());
      if (entry.getValue().directory) {
        write(entry.getValue(), Files.createDirectory(path), allNames, data, random);
      } else {
        Files.write(path, left(entry.getValue(), data, random));
      }
    }
  }

  private static byte[] left(Node node, Data data, SplittableRandom random) {
    int more = node.bytes.length - node.forced.length;
    if (data == Data.NONE || more <= 0) {
      return data == Data.ALL ? node.bytes : node.forced;
    }
    int kept = data == Data.ALL ? more : random.nextInt(more + 1);
    byte[] left = Arrays.copyOf(node.forced, node.forced.length + kept);
    if (data != Data.ZEROS) {
      System.arraycopy(node.bytes, node.forced.length, left, node.forced.length, kept);
    }
    return left;
  }
}
