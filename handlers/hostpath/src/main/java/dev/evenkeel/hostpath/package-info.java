/** A volume backend on the local file system. */
@NullMarked
package dev.evenkeel.hostpath;

import org.jspecify.annotations.NullMarked;
