/** Events for the JDK's flight recorder. A name or field of one is part of what is documented. */
@NullMarked
package dev.evenkeel.controller.flight;

import org.jspecify.annotations.NullMarked;
