package dev.retier.load.http;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Finds where a response ends (RFC 9112 section 6.3), however its bytes are cut into pieces. Reads the status and the
 * framing fields, counts the body, and looks at nothing else. Reused for the responses of one connection, one after the
 * other: {@link #expect} before each request. One thread.
 */
public final class ResponseFraming {
    /** A longer head is refused. */
    public static final int MAX_HEAD_BYTES = 64 * 1024;

    private static final int FIRST_FINAL_STATUS = 200;

    /** Another protocol follows, if one was asked for (RFC 9110 section 15.2.2). */
    public static final int SWITCHING_PROTOCOLS = 101;

    private final HeadBuffer headBuffer = new HeadBuffer(MAX_HEAD_BYTES);
    private final ChunkedBody chunks;
    private final @Nullable BodySink sink;
    private boolean headRequest;
    private boolean upgradeRequest;
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

    /** Bodies are counted and not looked at. */
    public ResponseFraming() {
        this(null);
    }

    /** What comes of bodies is shown to {@code sink} too; null: to nobody. */
    public ResponseFraming(@Nullable BodySink sink) {
        this.sink = sink;
        this.chunks = new ChunkedBody(sink);
    }

    /** Prepares for the response to a request that is about to be sent; {@code isHead} when its method is HEAD. */
    public void expect(boolean isHead) {
        headRequest = isHead;
        upgradeRequest = false;
        phase = Phase.HEAD;
        headBuffer.clear();
        bodyBytes = 0;
        head = ResponseHead.NONE;
    }

    /** The same, for a request that asks for another protocol: an answer 101 is complete with its head. */
    public void expectUpgrade() {
        expect(false);
        upgradeRequest = true;
    }

    /** Takes bytes from {@code in}, no more than belong to the response. */
    public Progress feed(ByteBuf in) {
        return switch (phase) {
            case IDLE -> Progress.BAD;
            case HEAD -> feedHead(in);
            case FIXED_BODY -> feedFixed(in);
            case CHUNKED_BODY -> feedChunked(in);
            case BODY_UNTIL_CLOSE -> {
                take(in, in.readableBytes());
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

    /** Whether what came so far, if anything, can begin an answer of HTTP/1.x. */
    public boolean canBeHttp() {
        return phase != Phase.HEAD || headBuffer.canStartWith("HTTP/1.");
    }

    /** The status code; 0 before the head is complete. */
    public int status() {
        return head.status();
    }

    /** Whether the head of the final answer has come: what follows is its body. */
    public boolean hasHead() {
        return head.status() >= FIRST_FINAL_STATUS;
    }

    /** Whether the body comes in chunks. */
    public boolean isChunked() {
        return head.coding() == ResponseHead.Coding.CHUNKED;
    }

    /**
     * The value of the head's fields called {@code name}, which is in lower case, without the space around it; several
     * with commas between them (RFC 9110 section 5.2). Null when there is none. Only after a complete head.
     */
    public @Nullable String field(String name) {
        return headBuffer.field(name);
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
            if (head.equals(ResponseHead.NONE)) {
                return Progress.BAD;
            }
            if (head.status() == SWITCHING_PROTOCOLS) {
                return upgradeRequest ? Progress.COMPLETE : Progress.BAD;
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
        take(in, taken);
        return bodyBytes == head.contentLength() ? Progress.COMPLETE : Progress.MORE;
    }

    private void take(ByteBuf in, int length) {
        if (sink != null && length > 0) {
            sink.body(in, in.readerIndex(), length);
        }
        in.skipBytes(length);
        bodyBytes += length;
    }

    private Progress feedChunked(ByteBuf in) {
        Progress progress = chunks.feed(in);
        bodyBytes = chunks.dataBytes();
        return progress;
    }
}
