/**
 * The driver of the shared state: queue pairs, registrations, threads and clocks over DiSNI's verbs API. Decides
 * nothing that {@code slot}, {@code lock} or {@code auth} can decide.
 */
@NullMarked
package dev.retier.state.verbs;

import org.jspecify.annotations.NullMarked;
