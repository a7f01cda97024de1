package dev.retier.rnic;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import dev.retier.verbs.Providers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What post and poll take without a device; {@code ./retier bench binding} runs it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings({"JdkObsolete", "NullAway.Init", "restricted"}) // DiSNI's lists; set up by JMH; bare calls
public class BindingBenchmark {
    private static final int ALL_RIGHTS = 15;
    private static final MethodHandle EQUAL = bare(IdleLibrary.POST);
    private static final MethodHandle LENGTH = bare(IdleLibrary.POLL);
    private static final long TEXT = Arena.global().allocateFrom("text").address();

    private SVCPostSend write;
    private SVCPostSend batch;
    private SVCPostRecv receive;
    private SVCPollCq poll;
    private ByteBuffer buffer;

    private static MethodHandle bare(String name) {
        return Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().find(name).orElseThrow(),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    }

    /** A queue pair that nothing comes of. */
    @Setup
    public void open() throws IOException {
        RnicProvider provider = new RnicProvider(new Library(new IdleLibrary()));
        RdmaCm cm = provider.openCm();
        Providers.install(provider);
        RdmaCmId id = cm.createEventChannel().createId(RdmaCm.RDMA_PS_TCP);
        id.bindAddr(new InetSocketAddress("10.9.0.1", 4711));
        IbvPd domain = id.getVerbs().allocPd();
        IbvCQ queue = id.getVerbs().createCQ(null, 64, 0);
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.cap().setMax_send_wr(16);
        attributes.cap().setMax_recv_wr(16);
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(queue);
        attributes.setRecv_cq(queue);
        IbvQP pair = id.createQP(domain, attributes);
        buffer = ByteBuffer.allocateDirect(4096);
        IbvMr region = domain.regMr(buffer, ALL_RIGHTS).execute().free().getMr();
        write = pair.postSend(List.of(write(region)), null);
        batch = pair.postSend(List.of(write(region), write(region), write(region), write(region)), null);
        IbvRecvWR request = new IbvRecvWR();
        request.setSg_list(new LinkedList<>(List.of(element(region))));
        request.setNum_sge(1);
        receive = pair.postRecv(List.of(request), null);
        poll = queue.poll(new IbvWC[] {new IbvWC()}, 1);
    }

    private static IbvSge element(IbvMr region) {
        IbvSge element = new IbvSge();
        element.setAddr(region.getAddr());
        element.setLength(64);
        element.setLkey(region.getLkey());
        return element;
    }

    private static IbvSendWR write(IbvMr region) {
        IbvSendWR request = new IbvSendWR();
        request.setOpcode(IbvSendWR.IBV_WR_RDMA_WRITE);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.setSg_list(new LinkedList<>(List.of(element(region))));
        request.setNum_sge(1);
        request.getRdma().setRemote_addr(region.getAddr());
        request.getRdma().setRkey(region.getRkey());
        return request;
    }

    @Benchmark
    public void postWrite() throws IOException {
        write.execute();
    }

    @Benchmark
    public void postFourWrites() throws IOException {
        batch.execute();
    }

    @Benchmark
    public void postReceive() throws IOException {
        receive.execute();
    }

    @Benchmark
    public int poll() throws IOException {
        return poll.execute().getPolls();
    }

    @Benchmark
    public int barePost() throws Throwable {
        return (int) EQUAL.invokeExact(1L, 2L);
    }

    @Benchmark
    public int barePoll() throws Throwable {
        return (int) LENGTH.invokeExact(TEXT, 1L);
    }
}
