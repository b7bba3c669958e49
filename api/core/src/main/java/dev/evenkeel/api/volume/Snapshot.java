package dev.evenkeel.api.volume;

import java.time.Instant;

/**
 * A snapshot, as answered to those who ask.
 *
 * @param id to be used in all later requests
 * @param name that it was requested under
 * @param sourceId id of the volume that it was made of
 * @param size in bytes that a volume made of it needs at least
 * @param created when it was cut; the same in every answer
 * @param ready whether volumes can be made of it
 */
public record Snapshot(
    String id, String name, String sourceId, long size, Instant created, boolean ready) {}
