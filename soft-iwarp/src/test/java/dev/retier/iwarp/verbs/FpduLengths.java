package dev.retier.iwarp.verbs;

import com.ibm.disni.verbs.IbvSendWR;
import dev.retier.iwarp.SoftIwarp;
import dev.retier.iwarp.mpa.Fpdu;
import dev.retier.iwarp.mpa.LargeFpdus;
import dev.retier.iwarp.mpa.MpaFrame;
import dev.retier.iwarp.mpa.StartupPolicy;
import dev.retier.iwarp.net.DeviceConfig;
import dev.retier.iwarp.net.Tap;
import dev.retier.iwarp.net.TapFactory;
import dev.retier.verbs.KnownPeer;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A program of its own, for an interface whose MTU nobody else minds: two peers over loopback, one writes, one reads.
 * Prints the longest ULPDU that each sent. Arguments: to whom the client offers
 * large FPDUs, and whether it knows its peer.
 */
final class FpduLengths {
    private static final int BYTES = 200_000;

    private FpduLengths() {}

    /** What one side sent. */
    private static final class Recording implements Tap {
        final boolean initiator;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Recording(boolean initiator) {
            this.initiator = initiator;
        }

        @Override
        public synchronized void sent(ByteBuffer sent) {
            byte[] copy = new byte[sent.remaining()];
            sent.get(copy);
            bytes.writeBytes(copy);
        }

        @Override
        public void received(ByteBuffer received) {}

        @Override
        public void closed() {}

        synchronized int longest() {
            ByteBuffer stream = ByteBuffer.wrap(bytes.toByteArray());
            int at = MpaFrame.lengthOf(stream);
            int longest = 0;
            while (at < stream.limit()) {
                int length = stream.getShort(at) & 0xFFFF;
                longest = Math.max(longest, length);
                at += Fpdu.totalLength(length);
            }
            return longest;
        }
    }

    public static void main(String[] arguments) throws Exception {
        StartupPolicy policy = StartupPolicy.standard(16, 16).withLargeFpdus(LargeFpdus.valueOf(arguments[0]));
        List<Recording> taps = new CopyOnWriteArrayList<>();
        TapFactory factory = (local, remote, initiator) -> {
            Recording tap = new Recording(initiator);
            taps.add(tap);
            return tap;
        };
        SoftIwarp.install(
                new Devices(DeviceConfig.defaults().withStartup(policy), Devices.Scope.EVENT_CHANNEL, factory));
        List<Peer> pair = Peer.pair(Peer.listen(), address -> address, client -> {
            if (Boolean.parseBoolean(arguments[1]) && client.getIdPriv() instanceof KnownPeer known) {
                known.peerIsKnown();
            }
        });
        Peer client = pair.get(0);
        Peer server = pair.get(1);
        byte[] pattern = new byte[BYTES];
        new SplittableRandom(1).nextBytes(pattern);
        client.memory.put(0, pattern);
        client.post(client.work(IbvSendWR.IBV_WR_RDMA_WRITE, client.buffer(0, BYTES), server, 0));
        client.post(client.work(IbvSendWR.IBV_WR_RDMA_READ, client.buffer(BYTES, BYTES), server, 0));
        client.await();
        client.await();
        byte[] back = new byte[BYTES];
        client.memory.get(BYTES, back);
        client.close();
        server.close();
        for (Recording tap : taps) {
            IO.println((tap.initiator ? "initiator " : "responder ") + tap.longest());
        }
        IO.println(Arrays.equals(pattern, back) ? "same bytes" : "other bytes");
    }
}
