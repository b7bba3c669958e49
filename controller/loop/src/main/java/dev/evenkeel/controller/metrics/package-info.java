/**
 * A loop's numbers, for a metrics registry: {@code EventLoops.builder(…).metrics(
 * LoopMetrics.in(registry))}. What there is stands in the project's documentation on metrics.
 */
@NullMarked
package dev.evenkeel.controller.metrics;

import org.jspecify.annotations.NullMarked;
