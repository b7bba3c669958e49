/**
 * What everything else is made of: keys and values, failures, secrets. Depends on no other package.
 */
@NullMarked
package dev.evenkeel.api;

import org.jspecify.annotations.NullMarked;
