package dev.evenkeel.app.ask;

import dev.evenkeel.app.serve.JsonText;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/** Trees as programs want them. Pure. */
final class Forms {
  private static final YAMLFactory YAML =
      YAMLFactory.builder().disable(YAMLWriteFeature.WRITE_DOC_START_MARKER).build();

  private Forms() {}

  /** One line. */
  static String json(Object tree) {
    return new String(JsonText.of(tree), StandardCharsets.UTF_8);
  }

  static String yaml(Object tree) {
    StringWriter text = new StringWriter();
    try (JsonGenerator yaml = YAML.createGenerator(ObjectWriteContext.empty(), text)) {
      JsonText.write(yaml, tree);
    }
    return text.toString().endsWith("\n") ? text.toString() : text + "\n";
  }
}
