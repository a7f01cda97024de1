/**
 * The move lock of a site on 1, 3 or 5 witnesses. Pure: words and times come in as arguments, decisions go out as
 * values. May import {@code dev.retier.state}, and {@code NodeId} and {@code LeaseTimes} of {@code dev.retier.link}.
 */
@NullMarked
package dev.retier.state.lock;

import org.jspecify.annotations.NullMarked;
