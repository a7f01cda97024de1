/**
 * From the cluster view to what servers and clients read: role files and target lists. Pure: may import {@code
 * dev.retier.state} values, {@code view}, {@code config} and the JSON writer only.
 */
@NullMarked
package dev.retier.agent.render;

import org.jspecify.annotations.NullMarked;
