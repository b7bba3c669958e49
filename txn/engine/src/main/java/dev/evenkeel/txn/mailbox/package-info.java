/** The transaction engine on its own: a queue, and one thread that works it off. */
@NullMarked
package dev.evenkeel.txn.mailbox;

import org.jspecify.annotations.NullMarked;
