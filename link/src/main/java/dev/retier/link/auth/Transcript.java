package dev.retier.link.auth;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;

/** All bytes said so far in one handshake, and the MACs over them. Not thread-safe. */
final class Transcript {
    private final ClusterSecret.Key key;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    Transcript(ClusterSecret.Key key) {
        this.key = key;
    }

    void add(byte[] message) {
        said.writeBytes(message);
    }

    /** Completes a message whose last {@code macBytes} bytes are left for its MAC, and adds it. */
    byte[] sealed(byte[] message, byte type, int macBytes) {
        int unsealed = message.length - macBytes;
        System.arraycopy(mac(message, unsealed, type), 0, message, unsealed, macBytes);
        add(message);
        return message;
    }

    /** Whether the last {@code macBytes} bytes of a received message are its MAC; then it is added. */
    boolean verify(byte[] message, byte type, int macBytes) {
        int unsealed = message.length - macBytes;
        byte[] received = Arrays.copyOfRange(message, unsealed, message.length);
        if (!MessageDigest.isEqual(Arrays.copyOf(mac(message, unsealed, type), macBytes), received)) {
            return false;
        }
        add(message);
        return true;
    }

    private byte[] mac(byte[] message, int length, byte type) {
        Mac mac = key.mac();
        mac.update(type);
        mac.update(said.toByteArray());
        mac.update(message, 0, length);
        return mac.doFinal();
    }
}
