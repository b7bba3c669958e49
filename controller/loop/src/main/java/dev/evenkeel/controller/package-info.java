/** The controller loop: one thread, typed events, ordered handlers, one transaction each. */
@NullMarked
package dev.evenkeel.controller;

import org.jspecify.annotations.NullMarked;
