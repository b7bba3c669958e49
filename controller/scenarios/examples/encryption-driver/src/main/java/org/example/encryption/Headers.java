package org.example.encryption;

import dev.evenkeel.api.txn.Step;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.Done;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * The headers of encrypted images: one file each.
 *
 * @param folder that holds them
 */
record Headers(Path folder) {
  Optional<Header> find(String image) throws IOException {
    Path file = folder.resolve(image);
    return Files.exists(file)
        ? Optional.of(new Header(image, Files.readString(file).strip()))
        : Optional.empty();
  }

  /** Whole or not at all: a crash in the middle leaves what a probe calls absent. */
  void write(Header header) throws IOException {
    Files.createDirectories(folder);
    Path half = Files.writeString(folder.resolve(header.image() + ".half"), header.digest());
    Files.move(half, folder.resolve(header.image()), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Rolled forward: a deleted volume needs no key any more. */
  Step<Done> removal(String image) {
    return Steps.step("forget-key:" + image, Done.class)
        .apply(
            context -> {
              boolean there = find(image).isPresent();
              remove(image);
              return new Done(there);
            })
        .forwardOnly();
  }

  void remove(String image) throws IOException {
    Files.deleteIfExists(folder.resolve(image + ".half"));
    Files.deleteIfExists(folder.resolve(image));
  }
}
