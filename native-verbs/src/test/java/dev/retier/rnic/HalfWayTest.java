package dev.retier.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import dev.retier.verbs.NoDeviceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens, or goes wrong, while something is made or destroyed. */
@Timeout(60)
class HalfWayTest extends TwoEnds {
    private static WeakReference<IbvMr> registered(IbvPd domain, WeakReference<ByteBuffer> buffer) {
        try {
            return new WeakReference<>(
                    domain.regMr(buffer.get(), ALL_RIGHTS).execute().free().getMr());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As another thread may register as soon as C has freed what was there. */
    @Test
    void shouldKeepTheMemoryOfTheNextRegion_whenCGivesItTheAddressOfTheFormer() throws IOException {
        End[] ends = connected();
        WeakReference<ByteBuffer> kept = new WeakReference<>(ByteBuffer.allocateDirect(BYTES));
        WeakReference<ByteBuffer> nobodys = new WeakReference<>(ByteBuffer.allocateDirect(BYTES));
        List<WeakReference<IbvMr>> next = new ArrayList<>();
        IbvMr former = ends[0].domain
                .regMr(ByteBuffer.allocateDirect(BYTES), ALL_RIGHTS)
                .execute()
                .free()
                .getMr();
        fake.whileDeregistering = () -> {
            fake.whileDeregistering = () -> {};
            next.add(registered(ends[0].domain, kept));
        };
        former.deregMr().execute();

        collected(nobodys);
        assertThat(kept.get()).isNotNull();
        Objects.requireNonNull(next.getFirst().get()).deregMr().execute();
        collected(kept);
        ends[0].end();
        ends[1].end();
    }

    @Test
    void shouldDestroyTheQueuePair_whenItsIdentifierIsDestroyedWhileItIsMade() throws Exception {
        RdmaCmId id = resolved();
        IbvPd domain = id.getVerbs().allocPd();
        IbvCQ queue = id.getVerbs().createCQ(null, 8, 0);
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(queue);
        attributes.setRecv_cq(queue);
        FutureTask<Integer> destroying = new FutureTask<>(() -> cm.destroyCmId(id));
        Thread other = Thread.ofPlatform().daemon().unstarted(destroying);
        fake.whileMakingAPair = () -> {
            other.start();
            while (other.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        };
        IbvQP pair = id.createQP(domain, attributes);

        assertThat(destroying.get(10, TimeUnit.SECONDS)).isZero();
        assertThat(fake.calls()).containsSubsequence("rdma_destroy_qp", "rdma_destroy_id");
        assertThat(pair.isOpen()).isFalse();
        queue.destroyCQ();
        verbs.deallocPd(domain);
    }

    @Test
    void shouldLeaveNothing_whenAnEventChannelHasNoDescriptor() {
        int before = fake.left();
        fake.hasNoDescriptor = true;
        assertThatThrownBy(cm::createEventChannel)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("fcntl of an event descriptor");
        assertThat(fake.left()).isEqualTo(before);
    }

    @Test
    void shouldLeaveNothing_whenTheLibraryLaysOutItsIdentifiersOtherwise() {
        int before = fake.left();
        fake.portSpaceShift = 1;
        assertThatThrownBy(() -> cm.createId(channel, RdmaCm.RDMA_PS_TCP))
                .isInstanceOf(NoDeviceException.class)
                .hasMessageContaining("rdma_cm_id.ps is ");
        assertThat(fake.left()).isEqualTo(before);
    }
}
