/** The code that README.md shows, compiled and run. */
@NullMarked
package dev.evenkeel.app.readme;

import org.jspecify.annotations.NullMarked;
