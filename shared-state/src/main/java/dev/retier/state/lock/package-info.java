/**
 * The move lock of a site on 1, 3 or 5 witnesses. Pure: words and times come in as arguments, decisions go out as
 * values. May import {@code dev.retier.state} only.
 */
@NullMarked
package dev.retier.state.lock;

import org.jspecify.annotations.NullMarked;
