/**
 * Memory and messages between the nodes of a cell over RDMA: {@link dev.retier.fabric.Fabric} connects each node with
 * every other, carries calls, and does one-sided operations on memory that nodes register for each other. Decides
 * nothing that {@code dev.retier.fabric.calls} can decide; locks and barriers are in {@code dev.retier.fabric.locks},
 * named regions of memory in {@code dev.retier.fabric.regions}.
 */
@NullMarked
package dev.retier.fabric;

import org.jspecify.annotations.NullMarked;
