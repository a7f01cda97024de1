/**
 * What volume servers and their clients write to each other: one class for each message, little-endian, with the place
 * of each field by name. Pure.
 */
@NullMarked
package dev.retier.volume.wire;

import org.jspecify.annotations.NullMarked;
