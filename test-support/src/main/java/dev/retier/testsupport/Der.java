package dev.retier.testsupport;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/** The parts of ASN.1's DER (X.690) that a certificate needs. Stateless. */
final class Der {
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final DateTimeFormatter GENERALIZED_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private Der() {}

    static byte[] tagged(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        int length = content.size();
        if (length < 0x80) {
            all.write(length);
        } else {
            byte[] digits = BigInteger.valueOf(length).toByteArray();
            int from = digits[0] == 0 ? 1 : 0;
            all.write(0x80 | (digits.length - from));
            all.write(digits, from, digits.length - from);
        }
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }

    static byte[] sequence(byte[]... parts) {
        return tagged(SEQUENCE, parts);
    }

    static byte[] set(byte[]... parts) {
        return tagged(SET, parts);
    }

    static byte[] integer(long value) {
        return tagged(2, BigInteger.valueOf(value).toByteArray());
    }

    static byte[] truth() {
        return tagged(1, new byte[] {(byte) 0xff});
    }

    static byte[] bits(byte[] bytes) {
        return tagged(3, new byte[1], bytes);
    }

    static byte[] octets(byte[] bytes) {
        return tagged(4, bytes);
    }

    /** An object identifier, given by the hexadecimal digits of its content. */
    static byte[] object(String hex) {
        return tagged(6, HexFormat.of().parseHex(hex));
    }

    static byte[] utf8(String text) {
        return tagged(12, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] time(Instant at) {
        return tagged(24, GENERALIZED_TIME.format(at).getBytes(StandardCharsets.US_ASCII));
    }
}
