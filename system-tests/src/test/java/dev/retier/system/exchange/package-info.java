/**
 * Programs on DiSNI's verbs alone that exchange data with each other, whatever provider each end has, and say whether
 * everything was right: {@link dev.retier.system.exchange.Exchange}.
 */
@NullMarked
package dev.retier.system.exchange;

import org.jspecify.annotations.NullMarked;
