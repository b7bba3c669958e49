package dev.evenkeel.api.volume;

/**
 * The answer of a request that has nothing more to say.
 *
 * @param changed false when there was nothing to do
 */
public record Done(boolean changed) {}
