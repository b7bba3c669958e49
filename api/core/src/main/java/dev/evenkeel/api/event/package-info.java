/**
 * What happens: events as records, with their method, transaction type, direction and lane as data.
 */
@NullMarked
package dev.evenkeel.api.event;

import org.jspecify.annotations.NullMarked;
