/**
 * The loops of an agent: looks, decides, orders, follows. Runs threads; carries out what the pure packages ask for.
 */
@NullMarked
package dev.retier.agent.daemon;

import org.jspecify.annotations.NullMarked;
