package dev.evenkeel.csi;

import dev.evenkeel.api.Experimental;
import dev.evenkeel.api.datastore.Datastore;
import dev.evenkeel.api.loop.EventLoop;
import dev.evenkeel.api.volume.VolumeBackend;
import dev.evenkeel.handlers.volume.VolumeSettings;

/**
 * What the front stands on. Closing these is their owner's part, after the server's.
 *
 * @param loop with the stock handlers, and those of a node if this is one
 * @param store the datastore of that loop
 * @param backend of its handlers
 * @param settings of its handlers
 */
@Experimental
public record CsiParts(
    EventLoop loop, Datastore store, VolumeBackend backend, VolumeSettings settings) {}
