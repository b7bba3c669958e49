/** What authors implement: ordered plug-in handlers, and the turn that they are given. */
@NullMarked
package dev.evenkeel.api.handler;

import org.jspecify.annotations.NullMarked;
