/**
 * What a handler wants changed: values behind descriptors and steps with an undo, in one
 * transaction.
 */
@NullMarked
package dev.evenkeel.api.txn;

import org.jspecify.annotations.NullMarked;
