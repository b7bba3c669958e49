/** JSON codecs for stored values, events and recordings. */
@NullMarked
package dev.evenkeel.codec.jackson;

import org.jspecify.annotations.NullMarked;
