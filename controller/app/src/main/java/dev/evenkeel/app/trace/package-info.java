/** What a loop did, as traces of OpenTelemetry. */
@NullMarked
package dev.evenkeel.app.trace;

import org.jspecify.annotations.NullMarked;
