/** What an agent tells the program that embeds it. */
@NullMarked
package dev.retier.agent.event;

import org.jspecify.annotations.NullMarked;
