package dev.retier.iwarp.stream;

/** What the two directions of a stream share. */
record StreamParts(
        LocalMemory memory,
        SendQueue sends,
        ReceiveQueue receives,
        OwedResponses owed,
        StreamStatus status,
        CompletionSink receiveSink,
        int maxElements) {}
