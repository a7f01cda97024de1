/** Whether a machine has what a move will need, found out before there is one. */
@NullMarked
package dev.retier.agent.doctor;

import org.jspecify.annotations.NullMarked;
