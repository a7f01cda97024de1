/**
 * RDMAP: one stream, with the rules of each opcode, work queues, the inbound read queue, completion in order, Terminate
 * (RFC 5040, RFC 7306).
 *
 * <p>Pure: bytes come in as arguments, FPDUs go out through a batch, completions through a sink. May import
 * {@code iwarp.wire}, {@code iwarp.mpa}, {@code iwarp.memory}, {@code iwarp.ddp} and the JDK's buffers.
 */
@NullMarked
package dev.retier.iwarp.rdmap;

import org.jspecify.annotations.NullMarked;
