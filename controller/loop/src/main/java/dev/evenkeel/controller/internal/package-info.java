/** The ring that drives the core, and what its users' threads meet: admission, futures, workers. */
@NullMarked
package dev.evenkeel.controller.internal;

import org.jspecify.annotations.NullMarked;
