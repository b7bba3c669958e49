/**
 * Where events come from: a datastore that is followed, and a directory of files that is watched.
 * Made by whoever wires a controller; each has one thread of its own and never touches the loop's.
 */
@NullMarked
package dev.evenkeel.controller.source;

import org.jspecify.annotations.NullMarked;
