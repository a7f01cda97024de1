/**
 * The cluster as one agent sees it, and how looks become that view. Pure: may import {@code dev.retier.state} values
 * and {@code dev.retier.agent.config} only.
 */
@NullMarked
package dev.retier.agent.view;

import org.jspecify.annotations.NullMarked;
