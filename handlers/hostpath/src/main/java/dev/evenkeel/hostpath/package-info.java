/**
 * A volume backend on the local file system: {@link dev.evenkeel.hostpath.HostpathBackend}. Volumes
 * are directories or sparse files under a root; snapshots and clones are real copies. Everything is
 * built under a temporary name and appears by one rename, so that a crash leaves nothing, the
 * whole, or a leftover that is named and cleared by the next create or delete.
 *
 * <p>Attaching and mounting come with a later issue; those abilities are absent.
 */
@NullMarked
package dev.evenkeel.hostpath;

import org.jspecify.annotations.NullMarked;
