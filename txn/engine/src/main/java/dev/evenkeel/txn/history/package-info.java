/** What transactions did: the history of an engine, and its forms for people: text and graphs. */
@NullMarked
package dev.evenkeel.txn.history;

import org.jspecify.annotations.NullMarked;
