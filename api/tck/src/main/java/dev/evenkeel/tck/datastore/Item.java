package dev.evenkeel.tck.datastore;

/**
 * The value that the contract stores. Made by the contract tests; immutable.
 *
 * @param text anything
 * @param number anything
 */
public record Item(String text, int number) {}
