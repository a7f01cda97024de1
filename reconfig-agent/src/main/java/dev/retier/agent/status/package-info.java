/**
 * What a server tells of itself, and the load record that follows from it. Pure: may import {@code dev.retier.state}
 * values and the JSON parser only.
 */
@NullMarked
package dev.retier.agent.status;

import org.jspecify.annotations.NullMarked;
