package dev.retier.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.LinkedList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostSendTest {
    @Test
    @SuppressWarnings("JdkObsolete") // DiSNI asks for a LinkedList
    void shouldWriteSwapAndKeyWhereTheLibraryReadsThem_whenLaidOut() {
        IbvSge element = new IbvSge();
        element.setAddr(0x7766_5544_3322_1100L);
        element.setLength(8);
        element.setLkey(0x0403_0201);
        IbvSendWR request = new IbvSendWR();
        request.setWr_id(5);
        request.setOpcode(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.setSg_list(new LinkedList<>(List.of(element)));
        request.getAtomic().setRemote_addr(0x0102_0304_0506_0708L);
        request.getAtomic().setCompare_add(0x1112_1314_1516_1718L);
        request.getAtomic().setSwap(0x2122_2324_2526_2728L);
        request.getAtomic().setRkey(0x3132_3334);
        MemorySegment record = Arena.ofAuto().allocate(PostSend.LENGTH_BYTES, Long.BYTES);

        PostSend.layOut(request, record);

        byte[] bytes = record.toArray(ValueLayout.JAVA_BYTE);
        HexFormat hex = HexFormat.of();
        assertThat(hex.formatHex(bytes, 0, 16)).isEqualTo("0500000000000000" + "0000000000000000");
        assertThat(record.get(ValueLayout.JAVA_LONG, 16)).isEqualTo(record.address() + PostSend.ELEMENT_OFFSET);
        assertThat(hex.formatHex(bytes, 24, 72))
                .isEqualTo("01000000" + "05000000" + "02000000" + "00000000" + "0807060504030201" + "1817161514131211"
                        + "2827262524232221" + "3433323100000000");
        assertThat(hex.formatHex(bytes, 128, 144)).isEqualTo("0011223344556677" + "08000000" + "01020304");
    }
}
