/**
 * The bytes of MPA, DDP and RDMAP, and nothing else: one class per header, big-endian, named offsets.
 * Pure: may import java.lang, java.nio buffers and java.util only.
 */
@NullMarked
package dev.retier.iwarp.wire;

import org.jspecify.annotations.NullMarked;
