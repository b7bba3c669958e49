/**
 * The stock volume handlers, each one plug-in with a stable name, in this order: {@code
 * reservation} takes the name and decides what is to be done, {@code image} adds the backend's
 * acts, {@code metadata} writes onto the image what helps people to find their way back, {@code
 * state} records the result and gives the answer. Make them with {@link
 * dev.evenkeel.handlers.volume.VolumeHandlers#stock}; put handlers of your own between them with
 * {@code Order.after("image").before("state")}, and read what has been decided with {@link
 * dev.evenkeel.handlers.volume.VolumePlan#find}.
 *
 * <p>They react to creating, deleting and growing volumes and to creating and deleting snapshots.
 * In a resync they want nothing: a volume that has vanished is never made anew (JT-3). {@code
 * attach} makes volumes reachable from nodes; {@code mount}, made by {@link
 * dev.evenkeel.handlers.volume.VolumeHandlers#node}, is the node side. What is stored is read with
 * {@link dev.evenkeel.handlers.volume.VolumeCatalog}.
 */
@NullMarked
package dev.evenkeel.handlers.volume;

import org.jspecify.annotations.NullMarked;
