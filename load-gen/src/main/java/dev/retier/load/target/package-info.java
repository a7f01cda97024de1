/**
 * Where requests go: lists of targets, who takes which, and which are worth trying.
 *
 * <p>Pure: lists and times come in as arguments. May import the JDK, Jackson, and {@code dev.retier.load}.
 */
@NullMarked
package dev.retier.load.target;

import org.jspecify.annotations.NullMarked;
