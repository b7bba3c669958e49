/** Contract tests for datastores, backends and handlers. */
@NullMarked
package dev.evenkeel.tck;

import org.jspecify.annotations.NullMarked;
