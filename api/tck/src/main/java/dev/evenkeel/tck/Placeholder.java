package dev.evenkeel.tck;

/** Keeps the package from being empty, which its module descriptor must not export. */
final class Placeholder {
  private Placeholder() {}
}
