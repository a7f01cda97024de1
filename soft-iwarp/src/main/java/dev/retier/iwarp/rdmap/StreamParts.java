package dev.retier.iwarp.rdmap;

import dev.retier.iwarp.ddp.LocalMemory;

/** What the two directions of a stream share. */
record StreamParts(
        LocalMemory memory,
        SendQueue sends,
        ReceiveQueue receives,
        InboundReadQueue inboundReads,
        StreamStatus status,
        CompletionSink receiveSink,
        int maxElements) {}
