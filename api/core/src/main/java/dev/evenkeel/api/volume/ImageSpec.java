package dev.evenkeel.api.volume;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What image to make.
 *
 * @param name unique; prefix and UUID
 * @param size bytes, already rounded by {@link VolumeBackend#roundUp}
 * @param parameters of the request
 */
public record ImageSpec(String name, long size, SortedMap<String, String> parameters) {
  /** Copies the parameters. */
  public ImageSpec {
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
  }
}
