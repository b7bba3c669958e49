package dev.evenkeel.api.volume;

/**
 * What a name leads to.
 *
 * @param uuid of the object
 */
public record NameRecord(String uuid) {}
