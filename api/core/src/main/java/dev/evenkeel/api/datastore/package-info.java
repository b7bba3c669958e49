/**
 * The datastore client, its watch and the syncer: typed keys, opaque revisions, compare-and-set.
 */
@NullMarked
package dev.evenkeel.api.datastore;

import org.jspecify.annotations.NullMarked;
