/**
 * The files of the agent: looks at them and tells of what is new. May import role, status, dev.retier.balance,
 * dev.retier.config.
 */
@NullMarked
package dev.retier.undertow.follow;

import org.jspecify.annotations.NullMarked;
