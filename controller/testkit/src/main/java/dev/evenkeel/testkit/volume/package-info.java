/**
 * A volume backend in memory that does everything the hard way, in many acts, with named points at
 * which a test lets it fail, hang or crash: {@link dev.evenkeel.testkit.volume.FakeBackend}.
 */
@NullMarked
package dev.evenkeel.testkit.volume;

import org.jspecify.annotations.NullMarked;
