/** The datastore on OMAPs of Ceph RADOS. */
@NullMarked
package dev.evenkeel.store.rados;

import org.jspecify.annotations.NullMarked;
