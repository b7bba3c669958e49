/**
 * The loop's core: a state machine without thread, clock and I/O (rule 0), with its inputs, its
 * effects and its decisions as values. Drivers of it live elsewhere.
 */
@NullMarked
package dev.evenkeel.controller.core;

import org.jspecify.annotations.NullMarked;
