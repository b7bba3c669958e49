package dev.evenkeel.app;

import dev.evenkeel.api.InvalidInputException;
import dev.evenkeel.app.run.CsiRun;
import dev.evenkeel.csi.CsiOptions;
import dev.evenkeel.csi.Endpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code csi}: a CSI driver with volumes on this machine's file system. */
@Command(
    name = "csi",
    description = {
      "Serve the Container Storage Interface: volumes in the state directory, until told to end.",
      "Controller and node may be two processes on one state directory; docs/csi.md tells more."
    })
@SuppressWarnings("NullAway.Init") // picocli sets the fields before it calls anything
final class CsiCommand implements Callable<Integer> {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  @Spec private CommandSpec spec;
  @Mixin private Settings settings;

  @Option(
      names = "--endpoint",
      required = true,
      paramLabel = "ADDRESS",
      description = "unix:///path/of/socket, or tcp://127.0.0.1:PORT.")
  private String endpoint;

  @Option(
      names = "--state-dir",
      required = true,
      paramLabel = "DIR",
      description = "Where store and volumes live; made when absent.")
  private Path stateDir;

  @Option(
      names = "--mode",
      paramLabel = "controller|node|all",
      description = "Which services act; all of them unless said otherwise.")
  private Mode mode = Mode.all;

  @Option(
      names = "--node-id",
      paramLabel = "ID",
      description = "What this node is called; its host name unless said otherwise.")
  private Optional<String> nodeId = Optional.empty();

  @Option(
      names = "--max-volumes",
      paramLabel = "N",
      description = "Most volumes published to one node; 64 unless said otherwise.")
  private Optional<Integer> maxVolumes = Optional.empty();

  /** In lower case, as they are written. */
  private enum Mode {
    controller,
    node,
    all
  }

  @Override
  public Integer call() throws Exception {
    settings.configureLogging();
    RunCommand.notEmpty(spec, "--state-dir", stateDir.toString());
    Configurator.setLevel("dev.evenkeel.csi", Level.INFO);
    // One warning for each connection, of an option that a unix socket does not have.
    Configurator.setLevel("io.grpc.netty.shaded.io.netty.bootstrap", Level.ERROR);
    PrintWriter out = spec.commandLine().getOut();
    CsiRun run = new CsiRun(stateDir, where(), options());
    run.execute(
        line -> {
          out.println(line);
          out.flush();
        });
    return ExitStatus.AS_EXPECTED;
  }

  private Endpoint where() {
    try {
      return Endpoint.parse(endpoint);
    } catch (InvalidInputException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()));
    }
  }

  private CsiOptions options() throws IOException {
    try {
      CsiOptions options =
          CsiOptions.all(nodeId.isPresent() ? nodeId.get() : hostName())
              .serving(mode != Mode.node, mode != Mode.controller);
      return maxVolumes.isPresent() ? options.maxVolumes(maxVolumes.get()) : options;
    } catch (InvalidInputException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()));
    }
  }

  private static String hostName() throws IOException {
    return Files.isReadable(HOST_NAME) ? Files.readString(HOST_NAME).strip() : "node";
  }
}
