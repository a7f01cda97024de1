/**
 * The driver of locks and barriers between nodes, over a {@link dev.retier.state.verbs.rpc.Fabric}. Decides nothing
 * that {@code dev.retier.state.sync} can decide.
 */
@NullMarked
package dev.retier.state.verbs.sync;

import org.jspecify.annotations.NullMarked;
