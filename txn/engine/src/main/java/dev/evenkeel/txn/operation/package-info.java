/** Operations: lock table, journal, and the three turns of an operation, as cores without I/O. */
@NullMarked
package dev.evenkeel.txn.operation;

import org.jspecify.annotations.NullMarked;
