/**
 * Recordings: what a loop was fed and what it decided, as text; and their replay with the same
 * handlers, which runs no effect and compares every decision (JT-10).
 */
@NullMarked
package dev.evenkeel.controller.recording;

import org.jspecify.annotations.NullMarked;
