/** Leadership by lease, and the epoch that fences every write of a leader. */
@NullMarked
package dev.evenkeel.api.election;

import org.jspecify.annotations.NullMarked;
