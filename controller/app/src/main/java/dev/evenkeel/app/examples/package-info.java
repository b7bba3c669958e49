/**
 * Seven examples of what the transaction engine does, over two mock plug-ins: interfaces, and a
 * bridge with its forwarding table. {@code ./evenkeel examples NAME} runs one; docs/examples.md
 * explains them.
 */
@NullMarked
package dev.evenkeel.app.examples;

import org.jspecify.annotations.NullMarked;
