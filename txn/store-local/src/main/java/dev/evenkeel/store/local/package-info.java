/** The embedded datastore, on RocksDB. */
@NullMarked
package dev.evenkeel.store.local;

import org.jspecify.annotations.NullMarked;
