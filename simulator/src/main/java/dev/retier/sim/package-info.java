/**
 * The agents' own decisions, moves and locks in virtual time. Pure, as are all packages below: everything follows
 * from the arguments. May import {@code dev.retier.state}, the pure packages of {@code dev.retier.agent}, traces and
 * reports.
 */
@NullMarked
package dev.retier.sim;

import org.jspecify.annotations.NullMarked;
