package dev.evenkeel.testkit.volume;

import dev.evenkeel.api.Epoch;
import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.VolumeBackend.Leftover;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What outlives a crash of the fake. Guarded by itself: each act is one step, whole or not at all.
 */
final class FakeDisk {
  private static final String TEMPORARY = "-temp";

  final SortedMap<String, FakeImage> images = new TreeMap<>();
  final SortedMap<String, FakeImage> trash = new TreeMap<>();

  /** Image and node, and whether it must not be written from there. */
  final SortedMap<String, Boolean> attachments = new TreeMap<>();

  /** Images whose device is mapped on the node. */
  final SortedSet<String> mapped = new TreeSet<>();

  /** Paths that were made on the node. */
  final SortedSet<String> paths = new TreeSet<>();

  /** What is mounted where on the node. */
  final SortedMap<String, String> mounts = new TreeMap<>();

  Epoch fence = Epoch.NONE;

  static String temporary(String image) {
    return image + TEMPORARY;
  }

  Optional<FakeImage> find(String name) {
    return Optional.ofNullable(images.get(name));
  }

  boolean has(String name) {
    return images.containsKey(name);
  }

  FakeImage require(String name) {
    return find(name)
        .orElseThrow(() -> new EvenkeelException(ErrorKind.NOT_FOUND, "there is no image " + name));
  }

  boolean hasSnapshot(String image, String snapshot) {
    return find(image).filter(i -> i.snapshots.containsKey(snapshot)).isPresent();
  }

  FakeImage.Cut requireSnapshot(String image, String snapshot) {
    FakeImage.Cut cut = require(image).snapshots.get(snapshot);
    if (cut == null) {
      throw new EvenkeelException(ErrorKind.NOT_FOUND, image + " has no snapshot " + snapshot);
    }
    return cut;
  }

  void dropSnapshot(String image, String snapshot) {
    find(image).ifPresent(i -> i.snapshots.remove(snapshot));
  }

  static Image shown(FakeImage image) {
    return new Image(image.name, "fake:" + image.name, image.size);
  }

  List<Image> listed() {
    return images.values().stream().filter(i -> !i.temporary).map(FakeDisk::shown).toList();
  }

  /** Snapshots for a copy are cut elsewhere, and must not outlive it. */
  boolean hasStrays(String image) {
    return has(temporary(image))
        || images.values().stream()
            .anyMatch(
                i ->
                    i.snapshots.containsKey(temporary(image))
                        || (!i.name.equals(image) && i.snapshots.containsKey(image)));
  }

  void dropStrays(String image) {
    images.remove(temporary(image));
    for (FakeImage other : images.values()) {
      other.snapshots.remove(temporary(image));
      if (!other.name.equals(image)) {
        other.snapshots.remove(image);
      }
    }
  }

  List<Leftover> leftovers() {
    List<Leftover> found = new ArrayList<>();
    for (FakeImage image : images.values()) {
      String of = owner(image.name);
      if (image.temporary && !has(of)) {
        found.add(new Leftover("temporary image " + image.name, Optional.of(of)));
      }
      for (String snapshot : image.snapshots.keySet()) {
        if (!snapshot.equals(image.name)) {
          found.add(
              new Leftover(
                  "snapshot " + snapshot + " of " + image.name, Optional.of(owner(snapshot))));
        }
      }
    }
    trash.keySet().forEach(name -> found.add(new Leftover("trash " + name, Optional.of(name))));
    return found;
  }

  private static String owner(String name) {
    return name.endsWith(TEMPORARY) ? name.substring(0, name.length() - TEMPORARY.length()) : name;
  }

  String describe() {
    StringBuilder out = new StringBuilder();
    images.values().forEach(image -> out.append(image.describe()).append('\n'));
    trash.keySet().forEach(name -> out.append("trash ").append(name).append('\n'));
    attachments.forEach((at, how) -> out.append("attached ").append(at).append('\n'));
    mapped.forEach(name -> out.append("mapped ").append(name).append('\n'));
    paths.forEach(path -> out.append("path ").append(path).append('\n'));
    mounts.forEach((at, of) -> out.append("mounted ").append(at + " " + of).append('\n'));
    return out.toString();
  }
}
