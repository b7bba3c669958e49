package dev.evenkeel.api.datastore;

/**
 * One update of a syncer.
 *
 * @param pair without value and revision when deleted
 * @param type never {@link UpdateType#UNKNOWN}
 */
public record Update(KeyValue<?> pair, UpdateType type) {}
