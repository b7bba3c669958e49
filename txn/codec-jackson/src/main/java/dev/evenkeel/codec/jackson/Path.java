package dev.evenkeel.codec.jackson;

import org.jspecify.annotations.Nullable;

/** Where in a tree something is; a text only when it is shown. */
record Path(@Nullable Path above, String name) {
  static Path root(String name) {
    return new Path(null, name);
  }

  Path to(String component) {
    return new Path(this, component);
  }

  @Override
  public String toString() {
    return above == null ? name : above.above == null ? name : above + "." + name;
  }
}
