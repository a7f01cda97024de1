package dev.retier.load.http;

import io.netty.buffer.ByteBuf;

/**
 * Finds where a response ends (RFC 9112 section 6.3), however its bytes are cut into pieces. Reads the status and the
 * framing fields, counts the body, and looks at nothing else. Reused for the responses of one connection, one after the
 * other: {@link #expect} before each request. One thread.
 */
public final class ResponseFraming {
    /** A longer head is refused. */
    public static final int MAX_HEAD_BYTES = 64 * 1024;

    private static final int FIRST_FINAL_STATUS = 200;

    /** Nobody asked for another protocol. */
    private static final int SWITCHING_PROTOCOLS = 101;

    private final HeadBuffer headBuffer = new HeadBuffer(MAX_HEAD_BYTES);
    private final ChunkedBody chunks = new ChunkedBody();
    private boolean headRequest;
    private Phase phase = Phase.IDLE;
    private ResponseHead head = ResponseHead.NONE;

    /** The last complete head, as it came. */
    private ResponseHead lastHead = ResponseHead.NONE;

    private long bodyBytes;

    /** What {@link #feed} made of the bytes. */
    public enum Progress {
        /** The response is not over. */
        MORE,
        /** The response is over; bytes left in the buffer are not part of it. */
        COMPLETE,
        /** This is no HTTP/1.x response; the connection is of no use any more. */
        BAD
    }

    private enum Phase {
        IDLE,
        HEAD,
        FIXED_BODY,
        CHUNKED_BODY,
        BODY_UNTIL_CLOSE
    }

    /** Prepares for the response to a request that is about to be sent; {@code isHead} when its method is HEAD. */
    public void expect(boolean isHead) {
        headRequest = isHead;
        phase = Phase.HEAD;
        headBuffer.clear();
        bodyBytes = 0;
        head = ResponseHead.NONE;
    }

    /** Takes bytes from {@code in}, no more than belong to the response. */
    public Progress feed(ByteBuf in) {
        return switch (phase) {
            case IDLE -> Progress.BAD;
            case HEAD -> feedHead(in);
            case FIXED_BODY -> feedFixed(in);
            case CHUNKED_BODY -> feedChunked(in);
            case BODY_UNTIL_CLOSE -> {
                bodyBytes += in.readableBytes();
                in.skipBytes(in.readableBytes());
                yield Progress.MORE;
            }
        };
    }

    /** Whether the end of the connection now is the proper end of the response. */
    public boolean isCompleteAtClose() {
        return phase == Phase.BODY_UNTIL_CLOSE;
    }

    /** Whether any byte of the response has come. */
    public boolean hasBegun() {
        return phase != Phase.HEAD || !headBuffer.isEmpty();
    }

    /** The status code; 0 before the head is complete. */
    public int status() {
        return head.status();
    }

    /** Body bytes so far, without chunk framing. */
    public long bodyBytes() {
        return bodyBytes;
    }

    /** Whether the connection may carry another request after a complete response. */
    public boolean keepsAlive() {
        return head.keepAlive() && phase != Phase.BODY_UNTIL_CLOSE;
    }

    private Progress feedHead(ByteBuf in) {
        while (true) {
            switch (headBuffer.fill(in)) {
                case MORE -> {
                    return Progress.MORE;
                }
                case TOO_LONG -> {
                    return Progress.BAD;
                }
                case COMPLETE -> {
                    if (!headBuffer.isRepeated()) {
                        lastHead = ResponseHead.parse(headBuffer.bytes(), headBuffer.length());
                    }
                }
            }
            head = lastHead;
            headBuffer.next();
            if (head.equals(ResponseHead.NONE) || head.status() == SWITCHING_PROTOCOLS) {
                return Progress.BAD;
            }
            if (head.status() >= FIRST_FINAL_STATUS) {
                return startBody(in);
            }
        }
    }

    private Progress startBody(ByteBuf in) {
        if (headRequest || head.hasNoBody()) {
            phase = Phase.FIXED_BODY;
            head = head.withLength(0);
        } else if (head.coding() == ResponseHead.Coding.CHUNKED) {
            phase = Phase.CHUNKED_BODY;
            chunks.start();
        } else if (head.coding() == ResponseHead.Coding.OTHER || head.contentLength() == ResponseHead.NO_LENGTH) {
            phase = Phase.BODY_UNTIL_CLOSE;
        } else {
            phase = Phase.FIXED_BODY;
        }
        return feed(in);
    }

    private Progress feedFixed(ByteBuf in) {
        int taken = (int) Math.min(head.contentLength() - bodyBytes, in.readableBytes());
        in.skipBytes(taken);
        bodyBytes += taken;
        return bodyBytes == head.contentLength() ? Progress.COMPLETE : Progress.MORE;
    }

    private Progress feedChunked(ByteBuf in) {
        Progress progress = chunks.feed(in);
        bodyBytes = chunks.dataBytes();
        return progress;
    }
}
