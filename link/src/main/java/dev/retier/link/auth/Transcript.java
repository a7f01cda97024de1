package dev.retier.link.auth;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;

/** What one side says and hears in one handshake: all bytes so far, and the MACs over them. Not thread-safe. */
final class Transcript {
    private final int version;
    private final Versions spoken;
    private final ClusterSecret.Key key;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    Transcript(int version, Versions spoken, ClusterSecret.Key key) {
        this.version = version;
        this.spoken = spoken;
        this.key = key;
    }

    boolean isFormer() {
        return version == Versions.FORMER;
    }

    /** A message with its header, {@code more} bytes longer than usual. */
    ByteBuffer begin(byte type, int right, int more) {
        return Messages.begin(new Messages.Header(version, type, right, spoken, key.hint()), more);
    }

    /** Completes a message that was begun here with its MAC, and adds it. */
    @SuppressWarnings("ByteBufferBackingArray") // as said
    byte[] sealed(ByteBuffer begun) {
        byte[] message = begun.array();
        byte[] mac = mac(message);
        System.arraycopy(mac, 0, message, message.length - mac.length, mac.length);
        said.writeBytes(message);
        return message;
    }

    /** Whether a received message ends with its MAC; then it is added. */
    boolean verify(byte[] message) {
        byte[] mac = mac(message);
        int unsealed = message.length - mac.length;
        boolean holds = MessageDigest.isEqual(mac, Arrays.copyOfRange(message, unsealed, message.length));
        if (holds) {
            said.writeBytes(message);
        }
        return holds;
    }

    /** As long as it is in such a message; empty if it has none. */
    private byte[] mac(byte[] message) {
        byte type = message[Messages.TYPE_OFFSET];
        int length = Messages.macBytes(version, type);
        Mac mac = key.mac();
        mac.update(type);
        mac.update(said.toByteArray());
        mac.update(message, 0, message.length - length);
        return Arrays.copyOf(mac.doFinal(), length);
    }
}
