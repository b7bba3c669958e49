/** The app as a real process: killed, told to end, refused, out of room. */
@NullMarked
package dev.evenkeel.app.process;

import org.jspecify.annotations.NullMarked;
