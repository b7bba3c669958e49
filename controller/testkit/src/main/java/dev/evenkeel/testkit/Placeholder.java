package dev.evenkeel.testkit;

/** Keeps the package from being empty, which its module descriptor must not export. */
final class Placeholder {
  private Placeholder() {}
}
