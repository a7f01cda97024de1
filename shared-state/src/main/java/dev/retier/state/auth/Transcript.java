package dev.retier.state.auth;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;

/** All bytes said so far in one handshake, and the MACs over them. Not thread-safe. */
final class Transcript {
    private final ClusterSecret secret;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    Transcript(ClusterSecret secret) {
        this.secret = secret;
    }

    void add(byte[] message) {
        said.writeBytes(message);
    }

    /** Completes a message whose last bytes are left for its MAC, and adds it. */
    byte[] sealed(byte[] message, byte type) {
        int unsealed = message.length - ClusterSecret.MAC_LENGTH_BYTES;
        byte[] mac = mac(message, unsealed, type);
        System.arraycopy(mac, 0, message, unsealed, mac.length);
        add(message);
        return message;
    }

    /** Checks the MAC at the end of a received message, and adds it. */
    void verify(byte[] message, byte type, String complaint) throws BadMessage {
        int unsealed = message.length - ClusterSecret.MAC_LENGTH_BYTES;
        byte[] received = Arrays.copyOfRange(message, unsealed, message.length);
        if (!MessageDigest.isEqual(mac(message, unsealed, type), received)) {
            throw new BadMessage(complaint);
        }
        add(message);
    }

    private byte[] mac(byte[] message, int length, byte type) {
        Mac mac = secret.mac();
        mac.update(type);
        mac.update(said.toByteArray());
        mac.update(message, 0, length);
        return mac.doFinal();
    }
}
