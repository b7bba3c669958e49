/**
 * Measuring: {@code ./evenkeel bench NAME}. A {@link dev.evenkeel.bench.Suite} is one name; it lets
 * contestants run in turns, each in JVMs of its own, and reports figures and ratios.
 */
package dev.evenkeel.bench;
