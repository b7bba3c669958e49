/** The configuration of a controller: a file, the environment, and the command line. */
@NullMarked
package dev.evenkeel.app.config;

import org.jspecify.annotations.NullMarked;
