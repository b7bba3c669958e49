/**
 * What a volume backend must do, as tests: extend {@link
 * dev.evenkeel.tck.volume.VolumeBackendContract} in the tests of a driver.
 */
@NullMarked
package dev.evenkeel.tck.volume;

import org.jspecify.annotations.NullMarked;
