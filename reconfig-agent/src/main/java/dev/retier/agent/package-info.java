/** The agent beside each server: observe, decide, move, render, apply. */
@NullMarked
package dev.retier.agent;

import org.jspecify.annotations.NullMarked;
