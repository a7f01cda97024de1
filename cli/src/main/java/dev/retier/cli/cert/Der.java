package dev.retier.cli.cert;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** What certificates are written in: the distinguished encoding rules (X.690), as far as they need them. Stateless. */
final class Der {
    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int CONTEXT = 0x80;
    private static final int CONSTRUCTED = 0x20;
    private static final int LONG_LENGTH = 0x80;
    private static final int MORE = 0x80;
    private static final int LOWEST = 0x7f;
    private static final int SEVEN_BITS = 7;
    private static final int FIRST_ARC = 40;
    /** From this year on times are written with four digits of the year (RFC 5280, section 4.1.2.5). */
    private static final int LONG_YEARS = 2050;

    private static final DateTimeFormatter SHORT = DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT);
    private static final DateTimeFormatter LONG = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT);

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return value(SEQUENCE, joined(parts));
    }

    static byte[] set(byte[] part) {
        return value(SET, part);
    }

    static byte[] yes() {
        return value(BOOLEAN, new byte[] {(byte) 0xff});
    }

    static byte[] integer(BigInteger number) {
        return value(INTEGER, number.toByteArray());
    }

    /** Of whole bytes but for so many bits at the end. */
    static byte[] bits(int unused, byte... bytes) {
        return value(BIT_STRING, joined(new byte[] {(byte) unused}, bytes));
    }

    static byte[] octets(byte[] bytes) {
        return value(OCTET_STRING, bytes);
    }

    static byte[] utf8(String text) {
        return value(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /** An object identifier. */
    static byte[] oid(String dotted) {
        String[] arcs = dotted.split("\\.", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(FIRST_ARC * Integer.parseInt(arcs[0]) + Integer.parseInt(arcs[1]));
        for (int i = 2; i < arcs.length; i++) {
            arc(out, Integer.parseInt(arcs[i]));
        }
        return value(OBJECT_IDENTIFIER, out.toByteArray());
    }

    /** Seven bits a byte, the highest first; all but the last say that more come. */
    private static void arc(ByteArrayOutputStream out, int arc) {
        int shift = 0;
        while (arc >> shift >= MORE) {
            shift += SEVEN_BITS;
        }
        for (; shift > 0; shift -= SEVEN_BITS) {
            out.write(MORE | ((arc >> shift) & LOWEST));
        }
        out.write(arc & LOWEST);
    }

    /** As certificates write times. */
    static byte[] time(Instant instant) {
        ZonedDateTime time = instant.atZone(ZoneOffset.UTC);
        boolean isLong = time.getYear() >= LONG_YEARS;
        String text = (isLong ? LONG : SHORT).format(time);
        return value(isLong ? GENERALIZED_TIME : UTC_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** What has a number of its own where it stands, in place of a type. */
    static byte[] tagged(int number, byte[] bytes) {
        return value(CONTEXT | number, bytes);
    }

    /** The same of whole values. */
    static byte[] around(int number, byte[] values) {
        return value(CONTEXT | CONSTRUCTED | number, values);
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] value(int type, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(type);
        if (content.length < LONG_LENGTH) {
            out.write(content.length);
        } else {
            // Positive numbers may begin with a zero byte, lengths may not.
            byte[] length = BigInteger.valueOf(content.length).toByteArray();
            int from = length[0] == 0 ? 1 : 0;
            out.write(LONG_LENGTH | (length.length - from));
            out.write(length, from, length.length - from);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }
}
