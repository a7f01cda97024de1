/**
 * DDP: received segments, and the registered memory that their payload is placed into (RFC 5041). The headers are in
 * {@code iwarp.wire}.
 *
 * <p>Pure: may import {@code iwarp.wire}, {@code iwarp.mpa}, {@code iwarp.memory} and the JDK's buffers.
 */
@NullMarked
package dev.retier.iwarp.ddp;

import org.jspecify.annotations.NullMarked;
