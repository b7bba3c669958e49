/**
 * The engine's core: values behind descriptors and steps beside them, in one transaction, as a
 * cursor without I/O.
 */
@NullMarked
package dev.evenkeel.txn.engine;

import org.jspecify.annotations.NullMarked;
