package dev.retier.balance;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * {@link Loads} as the bytes of a file. It has one length, whatever is in it, so that it is written in place and no
 * reader finds it short.
 *
 * <pre>
 *  offset  0               4       6       8              12              16
 *     0   +---------------+-------+-------+-------------------------------+
 *         | magic "RTLD"  |version| apps  |  number of the look           |
 *    16   +---------------+-------+-------+-------------------------------+
 *         |  time between two looks, ns   |  staleness, ns                |
 *    32   +---------------+---------------+-------------------------------+
 *         | CRC32C        |  reserved                                     |
 *    48   +---------------+                               +---------------+
 *         |                                                               |
 *    64   +===============================================================+
 *         |  name of an app, ASCII, zeros behind it (64 bytes)            |
 *   128   +---------------+---------------+-------------------------------+
 *         | in service    | reserved      |  utilisation (double)         |
 *   144   +---------------+---------------+-------------------------------+
 *         |  requests/s (double)          |  capacity (double)            |
 *   160   +===============================================================+
 *         |  the next app, 256 places of 96 bytes each                    |
 * 24640   +---------------------------------------------------------------+
 * </pre>
 *
 * <p>Numbers are little-endian. <b>The checksum alone decides</b> whether a copy is whole: it covers the 32 bytes
 * before it and the places that are used, so it does not matter in which pieces one process wrote and another one read.
 * Stateless.
 */
public final class LoadsPage {
    /** Length of the whole file. */
    public static final int LENGTH_BYTES = 24_640;

    /** As much of it as {@link #number} needs. */
    public static final int HEADER_BYTES = 64;

    /** What a file of loads is called: the name of the role file beside it, and this. */
    public static final String SUFFIX = ".loads";

    private static final int MAGIC = 0x444C_5452;
    private static final short VERSION = 1;
    private static final int VERSION_OFFSET = 4;
    private static final int COUNT_OFFSET = 6;
    private static final int NUMBER_OFFSET = 8;
    private static final int PERIOD_OFFSET = 16;
    private static final int STALENESS_OFFSET = 24;
    private static final int CRC_OFFSET = 32;
    private static final int PLACE_BYTES = 96;
    private static final int NAME_BYTES = 64;
    private static final int IN_SERVICE_OFFSET = 64;
    private static final int UTILISATION_OFFSET = 72;
    private static final int REQUESTS_OFFSET = 80;
    private static final int CAPACITY_OFFSET = 88;

    private LoadsPage() {}

    /** What bytes say. */
    public sealed interface Reading {
        /** They are whole. */
        record Whole(Loads loads) implements Reading {}

        /** They are a mixture of two looks, or damaged: which of these, reading again tells. */
        record Torn() implements Reading {}

        /**
         * They are no file of loads that could be read here.
         *
         * @param reason for people
         */
        record Refused(String reason) implements Reading {}
    }

    /** The whole file, ready to be written. */
    public static ByteBuffer emit(Loads loads) {
        ByteBuffer page = ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        page.putInt(0, MAGIC);
        page.putShort(VERSION_OFFSET, VERSION);
        page.putShort(COUNT_OFFSET, (short) loads.apps().size());
        page.putLong(NUMBER_OFFSET, loads.number());
        page.putLong(PERIOD_OFFSET, loads.periodNanos());
        page.putLong(STALENESS_OFFSET, loads.stalenessNanos());
        for (int index = 0; index < loads.apps().size(); index++) {
            put(loads.apps().get(index), page, HEADER_BYTES + index * PLACE_BYTES);
        }
        page.putInt(CRC_OFFSET, checksum(page, loads.apps().size()));
        return page;
    }

    private static void put(AppLoad app, ByteBuffer page, int offset) {
        page.put(offset, app.node().getBytes(StandardCharsets.US_ASCII));
        page.putInt(offset + IN_SERVICE_OFFSET, app.inService());
        page.putDouble(offset + UTILISATION_OFFSET, app.utilisation());
        page.putDouble(offset + REQUESTS_OFFSET, app.requestsPerSecond());
        page.putDouble(offset + CAPACITY_OFFSET, app.capacity());
    }

    /** The number of the look, of a copy of at least {@link #HEADER_BYTES}; nothing is checked. */
    public static long number(ByteBuffer copy) {
        return copy.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(NUMBER_OFFSET);
    }

    /** Reads a copy, from its first byte to its limit. */
    public static Reading parse(ByteBuffer copy) {
        ByteBuffer page = copy.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        if (page.limit() < LENGTH_BYTES) {
            return new Reading.Refused("it has " + page.limit() + " bytes, not " + LENGTH_BYTES);
        }
        if (page.getInt(0) != MAGIC) {
            return new Reading.Refused("it is no file of loads");
        }
        if (page.getShort(VERSION_OFFSET) != VERSION) {
            return new Reading.Refused("it is of version " + page.getShort(VERSION_OFFSET) + ", not " + VERSION);
        }
        int count = page.getShort(COUNT_OFFSET);
        if (count < 0 || count > Loads.MAX_APPS || page.getInt(CRC_OFFSET) != checksum(page, count)) {
            return new Reading.Torn();
        }
        try {
            return new Reading.Whole(loads(page, count));
        } catch (IllegalArgumentException e) {
            return new Reading.Refused(String.valueOf(e.getMessage()));
        }
    }

    private static Loads loads(ByteBuffer page, int count) {
        List<AppLoad> apps = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            int offset = HEADER_BYTES + index * PLACE_BYTES;
            apps.add(new AppLoad(
                    name(page, offset),
                    page.getInt(offset + IN_SERVICE_OFFSET),
                    page.getDouble(offset + UTILISATION_OFFSET),
                    page.getDouble(offset + REQUESTS_OFFSET),
                    page.getDouble(offset + CAPACITY_OFFSET)));
        }
        return new Loads(
                page.getLong(NUMBER_OFFSET), page.getLong(PERIOD_OFFSET), page.getLong(STALENESS_OFFSET), apps);
    }

    private static String name(ByteBuffer page, int offset) {
        int length = 0;
        while (length < NAME_BYTES && page.get(offset + length) != 0) {
            length++;
        }
        byte[] name = new byte[length];
        page.get(offset, name);
        return new String(name, StandardCharsets.US_ASCII);
    }

    private static int checksum(ByteBuffer page, int count) {
        CRC32C crc = new CRC32C();
        crc.update(page.slice(0, CRC_OFFSET));
        crc.update(page.slice(HEADER_BYTES, count * PLACE_BYTES));
        return (int) crc.getValue();
    }
}
