/** Looks in the code of handlers for what would decide otherwise in a replay. */
@NullMarked
package dev.evenkeel.testkit.determinism;

import org.jspecify.annotations.NullMarked;
