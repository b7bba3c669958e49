package org.example.encryption;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.api.ErrorKind;
import dev.evenkeel.api.EvenkeelException;
import dev.evenkeel.api.Secret;
import dev.evenkeel.api.Secrets;
import dev.evenkeel.api.datastore.Call;
import dev.evenkeel.api.datastore.ListOptions;
import dev.evenkeel.api.handler.EventHandler;
import dev.evenkeel.api.handler.Handlers;
import dev.evenkeel.api.handler.Order;
import dev.evenkeel.api.loop.Outcome;
import dev.evenkeel.api.txn.Steps;
import dev.evenkeel.api.volume.CreateVolume;
import dev.evenkeel.api.volume.DeleteVolume;
import dev.evenkeel.api.volume.Done;
import dev.evenkeel.api.volume.NameKey;
import dev.evenkeel.api.volume.ObjectKey;
import dev.evenkeel.api.volume.ObjectRef;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EncryptedStorageTest {
  private static final String PASSPHRASE = "correct horse battery staple";

  @TempDir Path folder;

  private static CreateVolume create(String name, String passphrase) {
    return CreateVolume.of(name, 1L << 20)
        .with(Secrets.of(Map.of(EncryptionHandler.PASSPHRASE, Secret.of(passphrase))));
  }

  /** What became of the steps, without the images' names. */
  private static List<String> steps(EncryptedStorage storage) {
    return storage.last().transaction().orElseThrow().steps().stream()
        .map(step -> step.name().replaceAll(":.*", "") + " " + step.act())
        .toList();
  }

  private static void assertEmpty(EncryptedStorage storage) throws Exception {
    assertEquals(List.of(), storage.volumes.images());
    var names = storage.records.blocking().list(ListOptions.all(NameKey.VOLUMES), Call.usual());
    var objects = storage.records.blocking().list(ListOptions.all(ObjectKey.VOLUMES), Call.usual());
    assertEquals(List.of(), names.items());
    assertEquals(List.of(), objects.items());
  }

  private static List<Path> filesIn(Path folder) throws Exception {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void liesInANamedModule() {
    assertEquals("org.example.encryption", EncryptionProvider.class.getModule().getName());
  }

  @Test
  void encryptsBetweenTheStockHandlers() throws Exception {
    try (EncryptedStorage storage = EncryptedStorage.open(folder)) {
      storage.run(create("data", PASSPHRASE)).orThrow();
      assertEquals(
          List.of("create-image DONE", "write-metadata DONE", "encrypt DONE"), steps(storage));
      String image = storage.volumes.images().get(0).name();
      assertEquals(Header.of(image, PASSPHRASE), storage.headers.find(image).orElseThrow());

      storage.run(new DeleteVolume(ObjectRef.named("data"), Secrets.NONE)).orThrow();
      assertTrue(storage.headers.find(image).isEmpty());
      assertEmpty(storage);
    }
    for (Path file : filesIn(folder)) {
      String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      assertFalse(bytes.contains(PASSPHRASE), file + " holds the passphrase");
    }
  }

  @Test
  void aRefusedPassphraseLeavesNothing() throws Exception {
    try (EncryptedStorage storage = EncryptedStorage.open(folder)) {
      Outcome<?> outcome = storage.run(create("data", "short"));
      assertTrue(assertInstanceOf(Outcome.Reverted.class, outcome).complete());
      assertEquals(ErrorKind.INVALID, outcome.failures().get(0).kind());
      assertEmpty(storage);
      storage.run(create("data", PASSPHRASE)).orThrow();
    }
  }

  @Test
  void aFailureBehindItTakesTheKeyAway() throws Exception {
    EventHandler licence =
        Handlers.named("licence")
            .order(Order.after("encryption").before("state"))
            .on(
                CreateVolume.class,
                (event, turn) -> {
                  turn.txn()
                      .step(
                          Steps.step("ask-for-licence", Done.class)
                              .apply(
                                  context -> {
                                    throw new EvenkeelException(
                                        ErrorKind.RESOURCE_EXHAUSTED, "no licence is left");
                                  })
                              .undo((context, done) -> {}));
                  return "asks for a licence";
                })
            .build();
    try (EncryptedStorage storage = EncryptedStorage.open(folder, licence)) {
      Outcome<?> outcome = storage.run(create("data", PASSPHRASE));
      assertTrue(assertInstanceOf(Outcome.Reverted.class, outcome).complete());
      assertEquals(
          List.of(
              "create-image DONE",
              "write-metadata DONE",
              "encrypt DONE",
              "ask-for-licence FAILED",
              "encrypt UNDONE",
              "write-metadata UNDONE",
              "create-image UNDONE"),
          steps(storage));
      assertEmpty(storage);
      assertEquals(List.of(), filesIn(storage.headers.folder()));
    }
  }

  @Test
  void runsAsAProgram() throws Exception {
    EncryptedStorage.main(new String[] {folder.toString(), "data", PASSPHRASE});
    try (EncryptedStorage storage = EncryptedStorage.open(folder)) {
      assertEquals(1, storage.volumes.images().size());
    }
  }
}
