/** What a running controller tells and takes over HTTP: for its operators, their tools, a page. */
@NullMarked
package dev.evenkeel.app.serve;

import org.jspecify.annotations.NullMarked;
