/** The stock volume handlers. */
@NullMarked
package dev.evenkeel.handlers.volume;

import org.jspecify.annotations.NullMarked;
