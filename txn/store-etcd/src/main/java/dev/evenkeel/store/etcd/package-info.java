/** The distributed datastore, and leader election, on etcd. */
@NullMarked
package dev.evenkeel.store.etcd;

import org.jspecify.annotations.NullMarked;
