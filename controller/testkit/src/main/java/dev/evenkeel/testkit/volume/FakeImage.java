package dev.evenkeel.testkit.volume;

import java.util.SortedMap;
import java.util.TreeMap;

/** An image of the fake; guarded by its disk. */
final class FakeImage {
  final String name;
  final boolean temporary;
  final SortedMap<String, String> metadata = new TreeMap<>();

  /** Its parameters that may change. */
  final SortedMap<String, String> mutable = new TreeMap<>();

  /** By name: what the image held when each was cut. */
  final SortedMap<String, Cut> snapshots = new TreeMap<>();

  long size;
  String content = "";
  boolean used;

  /** How often a file system was made on it. */
  int formats;

  /** Bytes of its file system. */
  long fileSystem;

  /** Whether its metadata are still those of the snapshot that it was made of. */
  boolean inherits;

  FakeImage(String name, long size, boolean temporary) {
    this.name = name;
    this.size = size;
    this.temporary = temporary;
  }

  /** What a snapshot keeps. */
  record Cut(
      String content,
      long size,
      SortedMap<String, String> metadata,
      int formats,
      long fileSystem) {}

  Cut cut() {
    return new Cut(content, size, new TreeMap<>(metadata), formats, fileSystem);
  }

  static FakeImage of(String name, Cut cut, boolean temporary) {
    FakeImage image = new FakeImage(name, cut.size(), temporary);
    image.content = cut.content();
    image.formats = cut.formats();
    image.fileSystem = cut.fileSystem();
    return image;
  }

  String describe() {
    return name
        + (temporary ? " (temporary)" : "")
        + " "
        + size
        + " bytes \""
        + content
        + "\" metadata "
        + metadata
        + " snapshots "
        + snapshots.keySet()
        + (mutable.isEmpty() ? "" : " " + mutable);
  }
}
