package dev.evenkeel.hostpath;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.txn.Probe;
import dev.evenkeel.api.volume.Image;
import dev.evenkeel.api.volume.VolumeBackend.Leftover;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The acts on images that steps are made of; each leaves nothing, a leftover, or the whole. */
final class ImageStore {
  private static final String INFO = "info";
  private static final String METADATA = "metadata";
  private static final String VERSION = "1";
  private static final Pattern SIZE = Pattern.compile("[0-9]{1,19}");

  private final Layout layout;

  ImageStore(Layout layout) {
    this.layout = layout;
  }

  /** What data have been made: their form, and the size that they have at least. */
  record Filled(VolumeForm form, long size) {}

  /** Makes the data of a new image at a path. */
  @FunctionalInterface
  interface Filler {
    Filled fill(Path data) throws IOException;
  }

  Optional<Image> find(String name) throws IOException {
    Path directory = layout.image(name);
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    long size =
        form(name) == VolumeForm.FILE
            ? Files.size(directory.resolve(Layout.DATA))
            : recordedSize(name);
    return Optional.of(new Image(name, "images/" + name, size));
  }

  Image require(String name) throws IOException {
    return find(name).orElseThrow(() -> Errors.notFound(name));
  }

  VolumeForm form(String name) throws IOException {
    return VolumeForm.find(info(name, "kind")).orElseThrow(() -> damaged(name, "an odd kind"));
  }

  private long recordedSize(String name) throws IOException {
    String text = info(name, "size");
    try {
      if (SIZE.matcher(text).matches()) {
        return Long.parseLong(text);
      }
    } catch (NumberFormatException tooLarge) {
      throw damaged(name, "an odd size");
    }
    throw damaged(name, "an odd size");
  }

  /** All whole images; what else stands among them counts as left over. */
  List<Image> all() throws IOException {
    List<Image> images = new ArrayList<>();
    for (String name : Layout.names(layout.images)) {
      if (isWhole(name)) {
        find(name).ifPresent(images::add);
      }
    }
    return images;
  }

  private boolean isWhole(String name) throws IOException {
    try {
      return Layout.isName(name) && find(name).isPresent();
    } catch (NoSuchFileException e) {
      return false; // it has no data
    } catch (EvenkeelException e) {
      if (e.kind() == ErrorKind.FAILED_PRECONDITION) {
        return false; // its info is damaged
      }
      throw e;
    }
  }

  List<Leftover> leftovers() throws IOException {
    List<Leftover> found = new ArrayList<>();
    for (String name : Layout.names(layout.images)) {
      if (!isWhole(name)) {
        found.add(leftover("damaged: images/", name));
      }
    }
    for (String name : Layout.names(layout.tmp)) {
      found.add(leftover("half made: tmp/", name));
    }
    for (String name : Layout.names(layout.trash)) {
      found.add(leftover("half removed: trash/", name));
    }
    return found;
  }

  private static Leftover leftover(String what, String name) {
    return new Leftover(what + name, Optional.of(name).filter(Layout::isName));
  }

  Probe<Image> probe(String name, long size) throws IOException {
    Optional<Image> found = find(name);
    if (found.isPresent()) {
      return found.get().size() >= size
          ? Probe.present(found.get())
          : Probe.partial("has " + found.get().size() + " of " + size + " bytes");
    }
    return Layout.isThere(layout.temporary(name))
        ? Probe.partial("was left half made")
        : Probe.absent();
  }

  /** Makes an image, or lets one that is there grow; clears what an earlier attempt has left. */
  Image make(String name, long size, Filler filler) throws IOException {
    if (find(name).isPresent()) {
      return grow(name, size);
    }
    boolean unused = Trees.remove(layout.tmp, name);
    Path work = layout.temporary(name);
    try {
      Files.createDirectory(work);
      Filled filled = filler.fill(work.resolve(Layout.DATA));
      resize(work, filled.form(), Math.max(size, filled.size()));
      layout.sync(work);
      layout.move(work, layout.image(name));
    } catch (IOException | RuntimeException e) {
      clear(layout.tmp, name, e);
      throw e;
    }
    return require(name);
  }

  /** Lets an image grow; one that is large enough is left alone. */
  Image grow(String name, long size) throws IOException {
    Image image = require(name);
    if (image.size() < size) {
      resize(layout.image(name), form(name), size);
    }
    return require(name);
  }

  private void resize(Path directory, VolumeForm form, long size) throws IOException {
    if (form == VolumeForm.FILE) {
      try (FileChannel file =
          FileChannel.open(
              directory.resolve(Layout.DATA),
              StandardOpenOption.WRITE,
              LinkOption.NOFOLLOW_LINKS)) {
        Lengths.set(file, size);
      }
      layout.sync(directory.resolve(Layout.DATA));
    }
    TreeMap<String, String> info = new TreeMap<>();
    info.put("version", VERSION);
    info.put("kind", form.text());
    info.put("size", Long.toString(size));
    layout.replace(directory.resolve(INFO), TextFile.write(info));
  }

  /** Moves an image, and what an attempt to make it has left, out of sight; absent is fine. */
  boolean trash(String name) throws IOException {
    boolean half = Trees.remove(layout.tmp, name);
    if (!Layout.isThere(layout.image(name))) {
      return half;
    }
    boolean unused = Trees.remove(layout.trash, name);
    layout.move(layout.image(name), layout.trashed(name));
    return true;
  }

  boolean purge(String name) throws IOException {
    boolean removed = Trees.remove(layout.trash, Layout.check(name));
    layout.sync(layout.trash);
    return removed;
  }

  /** Both, at once. */
  boolean remove(String name) throws IOException {
    boolean trashed = trash(name);
    return purge(name) || trashed;
  }

  SortedMap<String, String> metadata(String name) throws IOException {
    Image unused = require(name);
    return TextFile.read(layout.image(name).resolve(METADATA));
  }

  void writeMetadata(String name, SortedMap<String, String> values) throws IOException {
    Image unused = require(name);
    layout.replace(layout.image(name).resolve(METADATA), TextFile.write(values));
  }

  private String info(String name, String field) throws IOException {
    SortedMap<String, String> info = TextFile.read(layout.image(name).resolve(INFO));
    if (!VERSION.equals(info.get("version"))) {
      throw damaged(name, "no info of version " + VERSION);
    }
    String value = info.get(field);
    if (value == null) {
      throw damaged(name, "no " + field);
    }
    return value;
  }

  private static EvenkeelException damaged(String name, String has) {
    return new EvenkeelException(
        ErrorKind.FAILED_PRECONDITION, "image " + name + " has " + has + ": left as it is");
  }

  private static void clear(Path directory, String name, Exception primary) {
    try {
      boolean unused = Trees.remove(directory, name);
    } catch (IOException e) {
      primary.addSuppressed(e); // it stays a leftover, which the next attempt clears
    }
  }
}
