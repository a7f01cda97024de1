package dev.retier.bench.iwarp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;

/** Calls of Linux that Java does not have: a clock that is fine enough, and sockets of TCP. Safe for any thread. */
final class SystemCalls {
    private static final int PROCESS_CPU_TIME = 2;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private static final int AF_INET = 2;
    private static final int SOCK_STREAM = 1;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_NODELAY = 1;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int LOOPBACK = 0x7f000001;
    private static final int ADDRESS_BYTES = 16;
    private static final long PORT_AT = 2;
    private static final long HOST_AT = 4;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static final MethodHandle CLOCK = function("clock_gettime", INT, INT, ValueLayout.ADDRESS);
    private static final MethodHandle SOCKET = function("socket", INT, INT, INT, INT);
    private static final MethodHandle BIND = function("bind", INT, INT, ValueLayout.ADDRESS, INT);
    private static final MethodHandle LISTEN = function("listen", INT, INT, INT);
    private static final MethodHandle NAME =
            function("getsockname", INT, INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    private static final MethodHandle CONNECT = function("connect", INT, INT, ValueLayout.ADDRESS, INT);
    private static final MethodHandle ACCEPT = function("accept", INT, INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    private static final MethodHandle OPTION = function("setsockopt", INT, INT, INT, INT, ValueLayout.ADDRESS, INT);
    private static final MethodHandle SEND = function("send", LONG, INT, ValueLayout.ADDRESS, LONG, INT);
    private static final MethodHandle RECEIVE = function("recv", LONG, INT, ValueLayout.ADDRESS, LONG, INT);
    private static final MethodHandle CLOSE = function("close", INT, INT);

    private SystemCalls() {}

    /** Two connected sockets, by their numbers. */
    record Pair(int client, int server) implements AutoCloseable {
        @Override
        public void close() {
            SystemCalls.close(client);
            SystemCalls.close(server);
        }
    }

    @SuppressWarnings("restricted") // the launcher grants it
    private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    /** Processor time of this process so far; the JDK tells it in steps of ten milliseconds. */
    static long processNanos() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(2 * Long.BYTES, Long.BYTES);
            must("clock_gettime", (int) CLOCK.invokeExact(PROCESS_CPU_TIME, time));
            return time.get(LONG, 0) * NANOS_PER_SECOND + time.get(LONG, Long.BYTES);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Two sockets over the loopback interface, TCP_NODELAY on. */
    static Pair connected() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(ADDRESS_BYTES, Integer.BYTES);
            MemorySegment length = arena.allocateFrom(INT, ADDRESS_BYTES);
            MemorySegment one = arena.allocateFrom(INT, 1);
            address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_INET);
            address.set(ValueLayout.JAVA_SHORT, PORT_AT, (short) 0);
            address.set(INT.withOrder(ByteOrder.BIG_ENDIAN), HOST_AT, LOOPBACK);
            int listener = must("socket", (int) SOCKET.invokeExact(AF_INET, SOCK_STREAM, 0));
            int client = must("socket", (int) SOCKET.invokeExact(AF_INET, SOCK_STREAM, 0));
            must("bind", (int) BIND.invokeExact(listener, address, ADDRESS_BYTES));
            must("listen", (int) LISTEN.invokeExact(listener, 1));
            must("getsockname", (int) NAME.invokeExact(listener, address, length));
            must("connect", (int) CONNECT.invokeExact(client, address, ADDRESS_BYTES));
            int server = must("accept", (int) ACCEPT.invokeExact(listener, MemorySegment.NULL, MemorySegment.NULL));
            close(listener);
            for (int end : new int[] {client, server}) {
                must("setsockopt", (int) OPTION.invokeExact(end, IPPROTO_TCP, TCP_NODELAY, one, Integer.BYTES));
            }
            return new Pair(client, server);
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static int must(String call, int result) throws IOException {
        if (result < 0) {
            throw new IOException(call + " failed");
        }
        return result;
    }

    /** Sends all of it. */
    static void send(int descriptor, MemorySegment bytes) throws IOException {
        long sent;
        try {
            sent = (long) SEND.invokeExact(descriptor, bytes, bytes.byteSize(), MSG_NOSIGNAL);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        if (sent != bytes.byteSize()) {
            throw new IOException("send took " + sent + " bytes");
        }
    }

    /** Receives what has come: how many bytes, 0 at the end of the stream, below 0 if nothing has. */
    static long receive(int descriptor, MemorySegment into) {
        try {
            return (long) RECEIVE.invokeExact(descriptor, into, into.byteSize(), MSG_DONTWAIT);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void close(int descriptor) {
        try {
            var _ = (int) CLOSE.invokeExact(descriptor);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
