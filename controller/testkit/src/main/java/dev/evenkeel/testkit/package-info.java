/** What the tests of controllers and drivers stand on. */
@NullMarked
package dev.evenkeel.testkit;

import org.jspecify.annotations.NullMarked;
