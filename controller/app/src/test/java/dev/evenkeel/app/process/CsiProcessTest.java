package dev.evenkeel.app.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.evenkeel.csi.v1.ControllerPublishVolumeRequest;
import dev.evenkeel.csi.v1.ControllerUnpublishVolumeRequest;
import dev.evenkeel.csi.v1.NodePublishVolumeRequest;
import dev.evenkeel.csi.v1.NodeStageVolumeRequest;
import dev.evenkeel.csi.v1.NodeUnpublishVolumeRequest;
import dev.evenkeel.csi.v1.NodeUnstageVolumeRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./evenkeel csi} as a process, and a client that is a process of its own. */
@DisplayName("The CSI driver as a process")
@Timeout(600)
class CsiProcessTest {
  private static final int VOLUMES = 8;
  private static final int TERMINATED = 128 + 15;

  @TempDir private Path folder;
  private App app;
  private Path state;

  @BeforeEach
  void prepare() throws Exception {
    app = App.in(folder);
    state = folder.resolve("state");
  }

  @Test
  @DisplayName(
      "killed (kill -9) in the middle of creates: a repeat ends them, once each; deletes leave nothing")
  void killedInTheMiddle() throws Exception {
    kill(4);
  }

  @Test
  @Tag("long")
  @DisplayName("the same, killed 40 times")
  void killedAgainAndAgain() throws Exception {
    kill(40);
  }

  private void kill(int times) throws Exception {
    long seed = Long.getLong("crash.seed", System.nanoTime());
    Random random = new Random(seed);
    long usual = usual();
    for (int i = 0; i < times; i++) {
      long delay = (long) (random.nextDouble() * usual);
      String about = "seed " + seed + ", number " + i + ", killed after " + delay + " ns";
      try (CsiDriver driver = CsiDriver.start(app, state, folder.resolve("csi.sock"))) {
        List<Future<?>> calls = creates(driver);
        assertFalse(driver.endsWithin(delay), about);
        driver.kill();
        for (Future<?> call : calls) {
          call.get(60, TimeUnit.SECONDS); // answered, one way or the other
        }
      }
      converges(about);
    }
  }

  /** How long all creates take, nothing being killed. */
  private long usual() throws Exception {
    try (CsiDriver driver =
        CsiDriver.start(app, folder.resolve("usual"), folder.resolve("u.sock"))) {
      long from = System.nanoTime();
      for (Future<?> call : creates(driver)) {
        call.get(60, TimeUnit.SECONDS);
      }
      return System.nanoTime() - from;
    }
  }

  /** All at once; what fails, fails, as with a client whose driver has gone. */
  private static List<Future<?>> creates(CsiDriver driver) {
    ExecutorService clients = Executors.newFixedThreadPool(4);
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < VOLUMES; i++) {
      String name = "v-" + i;
      calls.add(clients.submit(() -> driver.tryToCreate(name)));
    }
    clients.shutdown();
    return calls;
  }

  private void converges(String about) throws Exception {
    try (CsiDriver driver = CsiDriver.start(app, state, folder.resolve("csi.sock"))) {
      TreeMap<String, String> ids = new TreeMap<>();
      for (int i = 0; i < VOLUMES; i++) {
        ids.put("v-" + i, driver.create("v-" + i));
      }
      ids.forEach((name, id) -> assertEquals(id, driver.create(name), about));
      assertEquals(ids.values().stream().sorted().toList(), driver.list(), about);
      ids.values().forEach(driver::delete);
      ids.values().forEach(driver::delete);
      assertEquals(List.of(), driver.list(), about);
      assertEquals(TERMINATED, driver.terminate(), about);
    }
    assertEquals(
        List.of(),
        StateDump.of(state).stream().filter(line -> line.contains("v-")).toList(),
        about);
  }

  @Test
  @DisplayName(
      "controller and node are two processes on one state directory; each ends when it is told")
  void twoProcesses() throws Exception {
    Path target = folder.resolve("pods").resolve("target");
    Path staging = folder.resolve("staging");
    Files.createDirectories(target.getParent());
    Files.createDirectories(staging);
    try (CsiDriver controller =
            CsiDriver.start(app, state, folder.resolve("c.sock"), "--mode", "controller");
        CsiDriver node = CsiDriver.start(app, state, folder.resolve("n.sock"), "--mode", "node")) {
      String id = controller.create("shared");
      var published =
          controller
              .controller()
              .controllerPublishVolume(
                  ControllerPublishVolumeRequest.newBuilder()
                      .setVolumeId(id)
                      .setNodeId(CsiDriver.NODE)
                      .setVolumeCapability(CsiDriver.WRITER)
                      .build());
      var unused =
          node.node()
              .nodeStageVolume(
                  NodeStageVolumeRequest.newBuilder()
                      .setVolumeId(id)
                      .putAllPublishContext(published.getPublishContextMap())
                      .setStagingTargetPath(staging.toString())
                      .setVolumeCapability(CsiDriver.WRITER)
                      .build());
      var unused2 =
          node.node()
              .nodePublishVolume(
                  NodePublishVolumeRequest.newBuilder()
                      .setVolumeId(id)
                      .putAllPublishContext(published.getPublishContextMap())
                      .setStagingTargetPath(staging.toString())
                      .setTargetPath(target.toString())
                      .setVolumeCapability(CsiDriver.WRITER)
                      .build());
      Files.writeString(target.resolve("hello"), "from a pod");

      // the node dies, and knows afterwards what it had published
      node.kill();
      try (CsiDriver again =
          CsiDriver.start(app, state, folder.resolve("n.sock"), "--mode", "node")) {
        assertEquals("from a pod", Files.readString(target.resolve("hello")));
        var unused3 =
            again
                .node()
                .nodeUnpublishVolume(
                    NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setTargetPath(target.toString())
                        .build());
        var unused4 =
            again
                .node()
                .nodeUnstageVolume(
                    NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setStagingTargetPath(staging.toString())
                        .build());
        assertFalse(Files.exists(target.resolve("hello")));
        assertEquals(TERMINATED, again.terminate());
      }
      var unused5 =
          controller
              .controller()
              .controllerUnpublishVolume(
                  ControllerUnpublishVolumeRequest.newBuilder()
                      .setVolumeId(id)
                      .setNodeId(CsiDriver.NODE)
                      .build());
      controller.delete(id);
      assertEquals(List.of(), controller.list());
      assertEquals(TERMINATED, controller.terminate());
    }
  }

  @Test
  @DisplayName("a second driver on the same socket is refused, and the first goes on")
  void socketIsTaken() throws Exception {
    Path socket = folder.resolve("csi.sock");
    try (CsiDriver first = CsiDriver.start(app, state, socket)) {
      App.Result second =
          app.run(
              "csi",
              "--endpoint",
              "unix://" + socket,
              "--state-dir",
              folder.resolve("other").toString());
      assertEquals(3, second.status(), second::output);
      assertTrue(second.output().contains(socket.toString()), second::output);
      assertEquals(List.of(first.create("a")), first.list());
    }
  }
}
