/**
 * The event loop as its users see it: push an event, get exactly one outcome, ask for the history.
 */
@NullMarked
package dev.evenkeel.api.loop;

import org.jspecify.annotations.NullMarked;
