package dev.evenkeel.store.rados;

/**
 * An object of the store: what is done to one at once is atomic.
 *
 * @param pool its pool
 * @param object its name
 */
record Home(String pool, String object) {}
