package dev.retier.load.http;

import io.netty.buffer.ByteBuf;

/** Looks at the body of an answer as it comes, without its chunk framing. */
@FunctionalInterface
public interface BodySink {
    /** The next {@code length} bytes, at least one, from index {@code from} of {@code in} on; it changes no index. */
    void body(ByteBuf in, int from, int length);
}
