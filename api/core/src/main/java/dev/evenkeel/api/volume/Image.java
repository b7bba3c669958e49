package dev.evenkeel.api.volume;

/**
 * What a backend says of one of its images.
 *
 * @param name that it was made under
 * @param id the backend's own
 * @param size real bytes
 */
public record Image(String name, String id, long size) {}
