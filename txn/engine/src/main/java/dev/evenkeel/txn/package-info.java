/** The transaction engine, as a core without I/O, and its drivers. */
@NullMarked
package dev.evenkeel.txn;

import org.jspecify.annotations.NullMarked;
