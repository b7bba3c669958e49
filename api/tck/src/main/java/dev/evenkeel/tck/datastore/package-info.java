/** The contract of datastores: what every one of them must pass. */
@NullMarked
package dev.evenkeel.tck.datastore;

import org.jspecify.annotations.NullMarked;
