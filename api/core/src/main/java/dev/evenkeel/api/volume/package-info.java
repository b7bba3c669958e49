/** Volume operations, the updaters that record their results, and the backend that does them. */
@NullMarked
package dev.evenkeel.api.volume;

import org.jspecify.annotations.NullMarked;
