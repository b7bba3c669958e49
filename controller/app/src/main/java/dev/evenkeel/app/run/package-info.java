/** Runs a workload: wiring, events one after another, and the check of what is left on the disk. */
@NullMarked
package dev.evenkeel.app.run;

import org.jspecify.annotations.NullMarked;
