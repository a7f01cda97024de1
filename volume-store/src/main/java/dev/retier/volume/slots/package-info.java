/** Slots of memory by which a volume server and its clients write to each other, on a connection of {@code link}. */
@NullMarked
package dev.retier.volume.slots;

import org.jspecify.annotations.NullMarked;
