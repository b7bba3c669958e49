package dev.evenkeel.api.volume;

import java.util.Optional;

/**
 * A volume, as answered to those who ask.
 *
 * @param id to be used in all later requests
 * @param name that it was requested under
 * @param size in bytes, real
 * @param source what it is a copy of
 */
public record Volume(String id, String name, long size, Optional<VolumeSource> source) {}
