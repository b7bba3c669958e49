package dev.evenkeel.codec.jackson;

import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/** All that needs the YAML library, which may be absent. */
final class Yaml {
  private Yaml() {}

  static TokenStreamFactory factory(StreamReadConstraints constraints) {
    return YAMLFactory.builder()
        .streamReadConstraints(constraints)
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .build();
  }

  /** The stream would give an alias as the text of its name, and leave anchors and tags out. */
  static boolean isForbidden(JsonParser parser) {
    return parser instanceof YAMLParser yaml
        && (yaml.isCurrentAlias() || yaml.getObjectId() != null || yaml.getRawTag() != null);
  }
}
