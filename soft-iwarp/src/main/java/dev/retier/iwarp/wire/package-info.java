/**
 * The bytes of DDP and RDMAP, and nothing else: one class per header, big-endian, named offsets. The two share their
 * headers (RFC 5040 section 4.1), so they stand together. The accessors are static and check nothing: whoever has
 * checked that a header's {@code LENGTH} bytes are there may call all of its accessors.
 * Pure: may import java.lang, java.nio buffers, java.util and {@code dev.retier.verbs.TerminateWord} only.
 */
@NullMarked
package dev.retier.iwarp.wire;

import org.jspecify.annotations.NullMarked;
