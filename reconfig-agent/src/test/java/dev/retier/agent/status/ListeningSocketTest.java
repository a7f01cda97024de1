package dev.retier.agent.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** On a machine of little-endian words, as the tables here were written on one. */
class ListeningSocketTest {
    private static final String TABLE = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000012 00:00000000 00000000     0        0 4242 1
               1: 00000000:1F90 00000000:0000 0A 00000000:00000001 00:00000000 00000000     0        0 4243 1
               2: 0200007F:1F91 00000000:0000 0A 00000000:00000007 00:00000000 00000000     0        0 4244 1
               3: 0100007F:1F90 0100007F:A000 01 00000000:000000FF 00:00000000 00000000     0        0 4245 1
            """;
    private static final String TABLE6 = """
            sl local_address remote_address st tx_queue:rx_queue tr:when retrnsmt uid timeout inode
            0: 00000000000000000000000001000000:1F92 ANY:0000 0A 0:00000001 00:0 0 0 0 4246
            1: 00000000000000000000000000000000:1F93 ANY:0000 0A 0:00000002 00:0 0 0 0 4247
            2: 0000000000000000FFFF00000200007F:1F94 ANY:0000 0A 0:00000003 00:0 0 0 0 4248
            """;

    private static List<ListeningSocket> of(String table) {
        return ListeningSocket.of(table.lines()).toList();
    }

    /** The inodes of those that who connects to {@code host} can meet. */
    private static List<String> at(String table, String host) throws UnknownHostException {
        Set<InetAddress> hosts = Set.of(InetAddress.getByName(host));
        return of(table).stream()
                .filter(socket -> socket.isAt(hosts))
                .map(ListeningSocket::inode)
                .toList();
    }

    @Test
    void shouldTellPortQueueAndInode_ofThoseThatListen() {
        assertThat(of(TABLE)).extracting(ListeningSocket::port).containsExactly(8080, 8080, 8081);
        assertThat(of(TABLE)).extracting(ListeningSocket::waiting).containsExactly(18L, 1L, 7L);
        assertThat(of(TABLE)).extracting(ListeningSocket::inode).containsExactly("4242", "4243", "4244");
        assertThat(of("no table\n\n")).isEmpty();
        assertThat(of("")).isEmpty();
    }

    @Test
    void shouldTellServersOfOnePortApart_byTheAddressThatTheyListenAt() throws UnknownHostException {
        assertThat(at(TABLE, "127.0.0.1")).containsExactly("4242", "4243");
        assertThat(at(TABLE, "127.0.0.2")).containsExactly("4243", "4244");
        assertThat(at(TABLE6, "::1")).containsExactly("4246", "4247");
        assertThat(at(TABLE6, "127.0.0.2")).containsExactly("4247", "4248");
    }

    /** Neither those that listen, nor those that one side has closed, nor at another port or address. */
    @Test
    void shouldCountConnections_thatNeitherSideHasClosed() {
        String table = TABLE + """
               4: 0100007F:1F90 0100007F:A001 08 00000000:00000000 00:00000000 00000000     0        0 4246 1
               5: 0100007F:1F90 0100007F:A002 01 00000000:00000000 00:00000000 00000000     0        0 0 1
               6: 0100007F:A002 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 4247 1
               7: 0200007F:1F90 0100007F:A003 01 00000000:00000000 00:00000000 00000000     0        0 4248 1
            """;
        Set<InetAddress> hosts = Set.of(InetAddress.getLoopbackAddress());
        assertThat(ListeningSocket.connections(table.lines(), 8080, hosts)).isEqualTo(2);
        assertThat(ListeningSocket.connections(table.lines(), 8080, Set.of())).isEqualTo(3);
        assertThat(ListeningSocket.connections(table.lines(), 8081, hosts)).isZero();
        assertThat(ListeningSocket.connections("".lines(), 8080, hosts)).isZero();
    }

    @Test
    void shouldCountAll_whenTheHostIsUnknown() {
        assertThat(of(TABLE)).allMatch(socket -> socket.isAt(Set.of()));
    }
}
