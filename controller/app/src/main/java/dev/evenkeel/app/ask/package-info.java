/** Commands that ask a running controller, over HTTP, and show what it says. */
@NullMarked
package dev.evenkeel.app.ask;

import org.jspecify.annotations.NullMarked;
