/** The command line, its configuration and the wiring of all rooms. */
@NullMarked
package dev.evenkeel.app;

import org.jspecify.annotations.NullMarked;
