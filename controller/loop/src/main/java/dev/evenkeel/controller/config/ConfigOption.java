package dev.evenkeel.controller.config;

import dev.evenkeel.api.Experimental;
import java.util.List;

/**
 * One option of a loop's configuration, for help texts and documentation. Immutable; the list of
 * all is {@link LoopConfigs#options()}.
 *
 * @param name its key, that of the component of {@code LoopConfig}
 * @param form how its value is written
 * @param standard what holds when it is not given, as it would be written
 * @param ancestors what it was called in Contiv's controller, if it had it
 * @param meaning what it does
 */
@Experimental
public record ConfigOption(
    String name, String form, String standard, List<String> ancestors, String meaning) {
  /** Copies the names. */
  public ConfigOption {
    ancestors = List.copyOf(ancestors);
  }
}
