package dev.evenkeel.testkit.volume;

import java.util.SortedMap;
import java.util.TreeMap;

/** An image of the fake; guarded by its disk. */
final class FakeImage {
  final String name;
  final boolean temporary;
  final SortedMap<String, String> metadata = new TreeMap<>();

  /** By name: what the image held when each was cut. */
  final SortedMap<String, Cut> snapshots = new TreeMap<>();

  long size;
  String content = "";
  boolean used;

  /** Whether its metadata are still those of the snapshot that it was made of. */
  boolean inherits;

  FakeImage(String name, long size, boolean temporary) {
    this.name = name;
    this.size = size;
    this.temporary = temporary;
  }

  /** What a snapshot keeps. */
  record Cut(String content, long size, SortedMap<String, String> metadata) {}

  Cut cut() {
    return new Cut(content, size, new TreeMap<>(metadata));
  }

  static FakeImage of(String name, Cut cut, boolean temporary) {
    FakeImage image = new FakeImage(name, cut.size(), temporary);
    image.content = cut.content();
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
        + snapshots.keySet();
  }
}
