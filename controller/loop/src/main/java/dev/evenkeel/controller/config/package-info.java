/**
 * The configuration of a loop as people write it: JSON, YAML or a map, with units, checked as a
 * whole.
 */
@NullMarked
package dev.evenkeel.controller.config;

import org.jspecify.annotations.NullMarked;
