/**
 * The driver of calls, messages and one-sided operations between any two nodes: {@link
 * dev.retier.state.verbs.rpc.Fabric} over DiSNI's verbs API. Decides nothing that {@code dev.retier.state.rpc} can
 * decide.
 */
@NullMarked
package dev.retier.state.verbs.rpc;

import org.jspecify.annotations.NullMarked;
