/**
 * Whether a node should move: (cluster view, history, policy, now) gives Stay(reason) or Change(nodes, reason).
 * Pure: no clock, no thread, no file, no log. May import values of {@code dev.retier.state} and node ids, {@code view}
 * and {@code config} only.
 */
@NullMarked
package dev.retier.agent.decide;

import org.jspecify.annotations.NullMarked;
