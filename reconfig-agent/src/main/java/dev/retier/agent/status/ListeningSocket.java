package dev.retier.agent.status;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A socket that listens, as Linux tells it in {@code /proc/net/tcp} and {@code tcp6} (proc_net_tcp, Documentation of
 * the kernel).
 *
 * @param address that it listens at, 4 or 16 bytes in network order, all zero for every one
 * @param port where
 * @param waiting how many connections the system has taken for it that its program has not taken yet
 * @param inode by which the files of a process name it
 */
public record ListeningSocket(List<Byte> address, int port, long waiting, String inode) {
    private static final int LOCAL_COLUMN = 1;
    private static final int STATE_COLUMN = 3;
    private static final int QUEUES_COLUMN = 4;
    private static final int INODE_COLUMN = 9;
    private static final String LISTENS = "0A";
    private static final String CONNECTED = "01";
    private static final int HEXADECIMAL = 16;
    private static final int WORD = 4;

    /** Before the four bytes of an IPv4 address that an IPv6 socket listens at, RFC 4291 section 2.5.5.2. */
    private static final List<Byte> MAPPED = bytes(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1});

    /** Keeps its own copy. */
    public ListeningSocket {
        address = List.copyOf(address);
    }

    /**
     * Those of {@code table}, which has the sockets that listen first: nothing behind them is read, and a busy machine
     * has many.
     */
    public static Stream<ListeningSocket> of(Stream<String> table) {
        return table.skip(1)
                .map(line -> line.strip().split("\\s+"))
                .takeWhile(cells -> cells.length > INODE_COLUMN && cells[STATE_COLUMN].equals(LISTENS))
                .map(ListeningSocket::of);
    }

    private static ListeningSocket of(String... cells) {
        return new ListeningSocket(
                address(before(cells[LOCAL_COLUMN])),
                Integer.parseInt(after(cells[LOCAL_COLUMN]), HEXADECIMAL),
                Long.parseLong(after(cells[QUEUES_COLUMN]), HEXADECIMAL),
                cells[INODE_COLUMN]);
    }

    /**
     * How many connections clients have at {@code port} of one of {@code hosts}, or of any where there are none, by the
     * same table: those that neither side has closed. The program may have taken them or not. All of the table is read.
     */
    public static long connections(Stream<String> table, int port, Set<InetAddress> hosts) {
        String end = ":%04X".formatted(port);
        return table.skip(1)
                .map(line -> line.strip().split("\\s+"))
                .filter(cells -> cells.length > INODE_COLUMN
                        && cells[STATE_COLUMN].equals(CONNECTED)
                        && cells[LOCAL_COLUMN].endsWith(end))
                .filter(cells -> of(cells).isAt(hosts))
                .count();
    }

    private static String before(String pair) {
        return pair.substring(0, pair.lastIndexOf(':'));
    }

    private static String after(String pair) {
        return pair.substring(pair.lastIndexOf(':') + 1);
    }

    /** The kernel prints words of four bytes as numbers of the machine. */
    private static List<Byte> address(String words) {
        ByteBuffer printed = ByteBuffer.wrap(HexFormat.of().parseHex(words));
        ByteBuffer address = ByteBuffer.allocate(printed.capacity());
        address.order(ByteOrder.nativeOrder());
        while (printed.remaining() >= WORD) {
            address.putInt(printed.getInt());
        }
        return bytes(address.array());
    }

    private static List<Byte> bytes(byte... all) {
        Byte[] boxed = new Byte[all.length];
        Arrays.setAll(boxed, index -> all[index]);
        return List.of(boxed);
    }

    /** Whether who connects to one of {@code hosts} at its port meets it; any host counts where none is known. */
    public boolean isAt(Set<InetAddress> hosts) {
        return isAtAll() || hosts.isEmpty() || hosts.stream().anyMatch(this::isAt);
    }

    /** Whether it listens at every address of the machine. */
    public boolean isAtAll() {
        return address.stream().allMatch(part -> part == 0);
    }

    private boolean isAt(InetAddress host) {
        List<Byte> wanted = bytes(host.getAddress());
        boolean isMapped = address.size() == MAPPED.size() + wanted.size()
                && address.subList(0, MAPPED.size()).equals(MAPPED);
        return address.equals(wanted)
                || (isMapped && address.subList(MAPPED.size(), address.size()).equals(wanted));
    }
}
