package dev.retier.iwarp.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.LinkedList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The record that a native provider reads, byte by byte (struct ibv_send_wr on a 64-bit little-endian machine). */
class NativeAtomicsTest {
    @SuppressWarnings("JdkObsolete") // DiSNI asks for a linked list
    private static IbvSendWR compareAndSwap() {
        IbvSge element = new IbvSge();
        element.setLength(8);
        IbvSendWR work = new IbvSendWR();
        work.setOpcode(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP);
        work.setSg_list(new LinkedList<>(List.of(element)));
        work.getAtomic().setRemote_addr(0x0102030405060708L);
        work.getAtomic().setCompare_add(0x1112131415161718L);
        work.getAtomic().setSwap(0x2122232425262728L);
        work.getAtomic().setRkey(0x31323334);
        return work;
    }

    @Test
    void shouldMatchStructure_whenRecordIsWritten() {
        ByteBuffer record = ByteBuffer.allocate(NativeAtomics.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        NativeAtomics.write(record, compareAndSwap());
        assertThat(HexFormat.of().formatHex(record.array()))
                .isEqualTo("00".repeat(40) + "0807060504030201" + "1817161514131211" + "2827262524232221" + "34333231"
                        + "00000000");
    }
}
