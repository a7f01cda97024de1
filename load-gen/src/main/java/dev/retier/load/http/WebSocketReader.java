package dev.retier.load.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Reads a server's frames (RFC 6455 section 5), however their bytes are cut into pieces. Messages are counted and not
 * kept, so that neither their text is checked to be UTF-8 nor any memory is taken for them; payloads of control frames
 * are kept until they are told. After anything but {@link Progress#MORE} nothing more is read. One thread.
 */
public final class WebSocketReader {
    /** A message of more bytes is refused. */
    public static final long MAX_MESSAGE_BYTES = 16L * 1024 * 1024;

    private static final int HEAD_BYTES = 2;
    private static final int STATUS_BYTES = 2;

    private final Listener listener;
    private final byte[] control = new byte[WebSocketFrame.MAX_CONTROL_BYTES];
    private Phase phase = Phase.HEAD;
    private int opcode;
    private boolean isFinal;
    private int headBytes;
    private int lengthBytes;
    private long payloadLeft;
    private int controlBytes;
    /** Opcode of the message that is not over; 0 when there is none. */
    private int message;

    private long messageBytes;

    /** What {@link #feed} made of the bytes. */
    public enum Progress {
        /** The connection goes on. */
        MORE,
        /** The server has said that it sends no more. */
        CLOSED,
        /** What came breaks the protocol. */
        BAD,
        /** A message is longer than {@link #MAX_MESSAGE_BYTES}. */
        TOO_LONG
    }

    /** Who is told of what came. */
    public interface Listener {
        /** A whole message has come, in one frame or several. */
        void message(boolean isText, long lengthBytes);

        /** A ping, to be answered with the same payload. */
        void ping(byte[] payload);
    }

    private enum Phase {
        HEAD,
        LENGTH,
        PAYLOAD,
        CLOSED,
        BAD,
        TOO_LONG
    }

    /** For one connection. */
    public WebSocketReader(Listener listener) {
        this.listener = listener;
    }

    /** Takes bytes from {@code in}: all, unless the connection is over with some of them. */
    public Progress feed(ByteBuf in) {
        while (in.isReadable() && goesOn()) {
            phase = switch (phase) {
                case HEAD -> head(in.readByte() & 0xFF);
                case LENGTH -> length(in.readByte() & 0xFF);
                case PAYLOAD -> payload(in);
                case CLOSED, BAD, TOO_LONG -> phase;
            };
        }
        return switch (phase) {
            case HEAD, LENGTH, PAYLOAD -> Progress.MORE;
            case CLOSED -> Progress.CLOSED;
            case BAD -> Progress.BAD;
            case TOO_LONG -> Progress.TOO_LONG;
        };
    }

    private boolean goesOn() {
        return phase == Phase.HEAD || phase == Phase.LENGTH || phase == Phase.PAYLOAD;
    }

    private Phase head(int b) {
        headBytes++;
        if (headBytes < HEAD_BYTES) {
            isFinal = (b & WebSocketFrame.FINAL) != 0;
            opcode = b & WebSocketFrame.OPCODE;
            return (b & WebSocketFrame.RESERVED) == 0 && isExpected() ? Phase.HEAD : Phase.BAD;
        }
        headBytes = 0;
        int length = b & WebSocketFrame.LENGTH;
        boolean isShort = length < WebSocketFrame.LENGTH_16;
        // Servers do not mask (section 5.1), and control frames are short and whole (section 5.5).
        if ((b & WebSocketFrame.MASKED) != 0 || (isControl() && (!isShort || !isFinal))) {
            return Phase.BAD;
        }
        payloadLeft = isShort ? length : 0;
        lengthBytes = isShort ? 0 : length == WebSocketFrame.LENGTH_16 ? Short.BYTES : Long.BYTES;
        return isShort ? begun() : Phase.LENGTH;
    }

    /** Section 5.4: messages do not mix, and a continuation continues something. */
    private boolean isExpected() {
        return switch (opcode) {
            case WebSocketFrame.CONTINUATION -> message != 0;
            case WebSocketFrame.TEXT, WebSocketFrame.BINARY -> message == 0;
            case WebSocketFrame.CLOSE, WebSocketFrame.PING, WebSocketFrame.PONG -> true;
            default -> false;
        };
    }

    private boolean isControl() {
        return opcode >= WebSocketFrame.CLOSE;
    }

    private Phase length(int b) {
        headBytes++;
        payloadLeft = payloadLeft << 8 | b;
        if (headBytes < lengthBytes) {
            return Phase.LENGTH;
        }
        headBytes = 0;
        // Section 5.2: in as few bytes as it goes, and the highest bit is 0.
        boolean isNeeded = lengthBytes == Short.BYTES
                ? payloadLeft >= WebSocketFrame.LENGTH_16
                : payloadLeft > WebSocketFrame.LARGEST_16;
        return payloadLeft < 0 || !isNeeded ? Phase.BAD : begun();
    }

    private Phase begun() {
        controlBytes = 0;
        if (!isControl()) {
            message = opcode == WebSocketFrame.CONTINUATION ? message : opcode;
            if (payloadLeft > MAX_MESSAGE_BYTES - messageBytes) {
                return Phase.TOO_LONG;
            }
            messageBytes += payloadLeft;
        }
        return payloadLeft == 0 ? ended() : Phase.PAYLOAD;
    }

    private Phase payload(ByteBuf in) {
        int taken = (int) Math.min(payloadLeft, in.readableBytes());
        if (isControl()) {
            in.readBytes(control, controlBytes, taken);
            controlBytes += taken;
        } else {
            in.skipBytes(taken);
        }
        payloadLeft -= taken;
        return payloadLeft == 0 ? ended() : Phase.PAYLOAD;
    }

    private Phase ended() {
        if (opcode == WebSocketFrame.CLOSE) {
            return controlBytes == 1 || (controlBytes >= STATUS_BYTES && !isStatus()) ? Phase.BAD : Phase.CLOSED;
        }
        if (opcode == WebSocketFrame.PING) {
            listener.ping(Arrays.copyOf(control, controlBytes));
        } else if (!isControl() && isFinal) {
            boolean isText = message == WebSocketFrame.TEXT;
            long length = messageBytes;
            message = 0;
            messageBytes = 0;
            listener.message(isText, length);
        }
        return Phase.HEAD;
    }

    /** Section 7.4: which numbers a close frame may say. */
    private boolean isStatus() {
        int status = (control[0] & 0xFF) << 8 | (control[1] & 0xFF);
        boolean isDefined = status >= 1000 && status <= 1014 && status != 1004 && status != 1005 && status != 1006;
        return isDefined || (status >= 3000 && status <= 4999);
    }
}
