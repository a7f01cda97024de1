/**
 * One RDMAP stream: DDP placement, the rules of each opcode, work queues, completion in order, Terminate
 * (RFC 5041, RFC 5040, RFC 7306).
 *
 * <p>Pure: ULPDUs come in as arguments, FPDUs go out through a batch, completions through a sink. May import
 * {@code iwarp.wire}, {@code iwarp.mpa}, {@code iwarp.memory} and the JDK's buffers.
 */
@NullMarked
package dev.retier.iwarp.stream;

import org.jspecify.annotations.NullMarked;
