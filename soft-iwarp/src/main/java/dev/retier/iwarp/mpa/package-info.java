/**
 * MPA: start-up, framing, CRC and markers (RFC 5044, RFC 6581).
 * Pure: bytes come in as arguments and go out as values. May import {@code iwarp.wire} and the JDK's buffers.
 */
@NullMarked
package dev.retier.iwarp.mpa;

import org.jspecify.annotations.NullMarked;
