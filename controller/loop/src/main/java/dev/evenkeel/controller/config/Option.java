package dev.evenkeel.controller.config;

import dev.evenkeel.controller.core.LoopConfig;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * An option that is one value: how it is written, where it goes, and where it is found.
 *
 * @param <T> type of the value
 */
record Option<T>(
    String name,
    Form<T> form,
    BiConsumer<LoopConfig.Builder, T> setter,
    Function<LoopConfig, T> getter,
    List<String> ancestors,
    String meaning) {
  void set(LoopConfig.Builder builder, Object tree) throws Wrong {
    setter.accept(builder, form.reader().read(tree));
  }

  ConfigOption described() {
    return new ConfigOption(
        name,
        form.name(),
        form.writer().write(getter.apply(LoopConfig.DEFAULT)),
        ancestors,
        meaning);
  }
}
