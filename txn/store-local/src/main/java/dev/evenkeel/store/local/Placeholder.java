package dev.evenkeel.store.local;

/** Keeps the package from being empty, which its module descriptor must not export. */
final class Placeholder {
  private Placeholder() {}
}
