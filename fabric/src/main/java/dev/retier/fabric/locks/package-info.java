/**
 * Locks and barriers between the nodes of a fabric: {@link dev.retier.fabric.locks.Locks}. Does what the state machines
 * of {@code dev.retier.fabric.locks.protocol} decide, over a {@link dev.retier.fabric.Fabric}, with threads and clocks.
 */
@NullMarked
package dev.retier.fabric.locks;

import org.jspecify.annotations.NullMarked;
