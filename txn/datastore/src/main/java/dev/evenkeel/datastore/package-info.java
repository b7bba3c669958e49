/** The in-memory datastore, the syncer and update processors. */
@NullMarked
package dev.evenkeel.datastore;

import org.jspecify.annotations.NullMarked;
