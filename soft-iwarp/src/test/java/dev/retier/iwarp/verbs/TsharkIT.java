package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.interop.Tshark;
import dev.retier.iwarp.mpa.LargeFpdus;
import dev.retier.iwarp.mpa.RtrKind;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.trace.PcapLimits;
import dev.retier.iwarp.trace.PcapTaps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded connections of every opcode, dissected by tshark: good CRCs, right markers, nothing malformed. */
class TsharkIT {
    private static final int OPCODES = 12;
    /** Ready-to-receive, the work below with its answers, and the Terminate. */
    private static final int FPDUS = 18;

    @TempDir
    Path directory;

    @BeforeAll
    static void needTshark() throws Exception {
        Tshark.require();
    }

    @ParameterizedTest(name = "markers {0}, ready-to-receive by {1}")
    @CsvSource({"false,WRITE", "false,READ", "false,SEND", "true,WRITE"})
    void shouldDecode_whenEveryOpcodeWasUsed(boolean markers, RtrKind rtr) throws Exception {
        StartupPolicy policy = new StartupPolicy(2, true, markers, true, EnumSet.of(rtr), 16, 16, LargeFpdus.ALWAYS);
        DeviceConfig config = DeviceConfig.defaults().withStartup(policy);
        SoftIwarp.install(new Devices(config, Devices.Scope.PROCESS, new PcapTaps(directory, PcapLimits.defaults())));
        List<Peer> peers = Peer.pair();
        useEveryOpcode(peers.get(0), peers.get(1), markers ? 1000 : 70_001);
        peers.get(0).close();
        peers.get(1).close();
        for (Path file : traces()) {
            judge(file, markers);
        }
    }

    private List<Path> traces() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private static void judge(Path file, boolean markers) throws Exception {
        String text = Tshark.dissect(file);
        assertThat(text).contains("Request frame header", "Reply frame header");
        assertThat(text).doesNotContain("Bad CRC32", "Malformed", "[Expert Info (Error");
        assertThat(count(text, "Good CRC32")).isGreaterThanOrEqualTo(FPDUS);
        assertThat(text.contains("FPDU back pointer")).isEqualTo(markers);
        Set<String> opcodes = new HashSet<>();
        for (String line : Tshark.fields(file, "iwarp_rdma.opcode")) {
            opcodes.addAll(List.of(line.split(",")));
        }
        opcodes.remove("");
        assertThat(opcodes)
                .as("Write, Read, Send in all kinds, Terminate, Immediate, atomics")
                .hasSize(OPCODES);
    }

    private static int count(String text, String what) {
        Matcher matcher = Pattern.compile(what, Pattern.LITERAL).matcher(text);
        int count = 0;
        while (matcher.find()) {
            count++;
        }
        return count;
    }

    private static void useEveryOpcode(Peer client, Peer server, int bytes) throws Exception {
        for (int i = 0; i < 6; i++) {
            server.postReceive(i, server.buffer(8192, 4096));
        }
        List<IbvSendWR> all = List.of(
                client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(0, bytes), server, 100_000),
                client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(0, bytes), server, 0),
                client.work(IbvSendWR.IBV_WR_SEND, client.buffer(0, 33)),
                solicited(client.work(IbvSendWR.IBV_WR_SEND, client.buffer(0, 1))),
                client.work(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, client.buffer(0, 5), server, 0),
                solicited(client.work(IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM, client.buffer(0, 6), server, 0)),
                client.work(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, client.buffer(0, 8), server, 64),
                client.work(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, client.buffer(0, 8), server, 64));
        for (IbvSendWR work : all) {
            client.post(work);
            assertThat(client.await().getStatus()).isZero();
        }
        client.post(invalidating(client.work(IbvSendWR.IBV_WR_SEND, client.buffer(0, 9)), server));
        client.post(solicited(invalidating(client.work(IbvSendWR.IBV_WR_SEND, client.buffer(0, 9)), server)));
        for (int i = 0; i < 6; i++) {
            assertThat(server.await().getStatus()).isZero();
        }
        IbvSendWR wrong = client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(0, 8), server, 0);
        wrong.getRdma().setRkey(server.region.getRkey() ^ 1);
        client.post(wrong);
        IbvWC completion = client.await();
        while (completion.getOpcode() != IbvWC.IbvWcOpcode.IBV_WC_RDMA_READ.getOpcode()) {
            completion = client.await();
        }
        assertThat(completion.getStatus()).isNotZero();
        client.endpoint.disconnected.get(5, TimeUnit.SECONDS);
        server.endpoint.disconnected.get(5, TimeUnit.SECONDS);
    }

    private static IbvSendWR solicited(IbvSendWR work) {
        work.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED | IbvSendWR.IBV_SEND_SOLICITED);
        return work;
    }

    /** Invalidates a region of the server's that this connection alone may use. */
    private static IbvSendWR invalidating(IbvSendWR work, Peer server) throws IOException {
        ((IwarpSendWr) work).setInvalidateKey(server.registerForConnection().getRkey());
        return work;
    }
}
