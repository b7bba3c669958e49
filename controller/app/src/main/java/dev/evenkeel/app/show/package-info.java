/** What a run shows: boxes, table, errors; no decision is made here. */
@NullMarked
package dev.evenkeel.app.show;

import org.jspecify.annotations.NullMarked;
