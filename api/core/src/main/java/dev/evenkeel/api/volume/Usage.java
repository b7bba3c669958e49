package dev.evenkeel.api.volume;

import dev.evenkeel.api.Experimental;

/**
 * How full a mounted volume is.
 *
 * @param totalBytes that it can hold
 * @param usedBytes that are taken
 * @param freeBytes that its users may still take
 * @param totalFiles that it can hold; 0 when that cannot be told
 * @param usedFiles that are there; 0 when that cannot be told
 */
@Experimental("new")
public record Usage(
    long totalBytes, long usedBytes, long freeBytes, long totalFiles, long usedFiles) {}
