/** The loop on the caller's own thread, with a clock that is turned by hand: for tests. */
@NullMarked
package dev.evenkeel.controller.manual;

import org.jspecify.annotations.NullMarked;
