/**
 * The CSI front: a gRPC server whose calls become requests for a loop, and whose answers are what
 * became of them. Reading never goes through the loop.
 */
@NullMarked
package dev.evenkeel.csi;

import org.jspecify.annotations.NullMarked;
