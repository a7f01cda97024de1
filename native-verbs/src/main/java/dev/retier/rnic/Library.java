package dev.retier.rnic;

import dev.retier.verbs.NoDeviceException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.Locale;

/**
 * The functions of libibverbs, librdmacm and libc that the provider calls, found once. Safe for any thread.
 *
 * <p>Both libraries export several versions of some functions; looking one up by its name gives the newest, and the
 * structures of {@link Layouts} are that one's.
 */
final class Library {
    private static final String VERBS = "libibverbs.so.1";
    private static final String CONNECTIONS = "librdmacm.so.1";
    private static final String HINT = "; install rdma-core's libraries (Debian: libibverbs1 librdmacm1"
            + " ibverbs-providers; Fedora and RHEL: libibverbs librdmacm), or use the provider iwarp";

    final MemorySegment allocPd;
    final MemorySegment deallocPd;
    final MemorySegment regMr;
    final MemorySegment deregMr;
    final MemorySegment createCompChannel;
    final MemorySegment destroyCompChannel;
    final MemorySegment getCqEvent;
    final MemorySegment ackCqEvents;
    final MemorySegment createCq;
    final MemorySegment destroyCq;
    final MemorySegment queryQp;
    final MemorySegment queryDevice;
    final MemorySegment queryPort;
    final MemorySegment queryGid;
    final MemorySegment getDeviceList;
    final MemorySegment freeDeviceList;
    final MemorySegment getDeviceName;
    final MemorySegment openDevice;
    final MemorySegment closeDevice;
    final MemorySegment getAsyncEvent;
    final MemorySegment ackAsyncEvent;

    final MemorySegment createEventChannel;
    final MemorySegment destroyEventChannel;
    final MemorySegment getCmEvent;
    final MemorySegment ackCmEvent;
    final MemorySegment createId;
    final MemorySegment destroyId;
    final MemorySegment bindAddr;
    final MemorySegment listen;
    final MemorySegment resolveAddr;
    final MemorySegment resolveRoute;
    final MemorySegment createQp;
    final MemorySegment destroyQp;
    final MemorySegment connect;
    final MemorySegment accept;
    final MemorySegment disconnect;

    final MemorySegment poll;
    final MemorySegment fcntl;
    final MemorySegment strerror;

    private final SymbolLookup symbols;

    /**
     * Those that {@code symbols} has.
     *
     * @throws IOException if one is missing; the message names it
     */
    Library(SymbolLookup symbols) throws IOException {
        this.symbols = symbols;
        allocPd = find("ibv_alloc_pd");
        deallocPd = find("ibv_dealloc_pd");
        regMr = find("ibv_reg_mr");
        deregMr = find("ibv_dereg_mr");
        createCompChannel = find("ibv_create_comp_channel");
        destroyCompChannel = find("ibv_destroy_comp_channel");
        getCqEvent = find("ibv_get_cq_event");
        ackCqEvents = find("ibv_ack_cq_events");
        createCq = find("ibv_create_cq");
        destroyCq = find("ibv_destroy_cq");
        queryQp = find("ibv_query_qp");
        queryDevice = find("ibv_query_device");
        queryPort = find("ibv_query_port");
        queryGid = find("ibv_query_gid");
        getDeviceList = find("ibv_get_device_list");
        freeDeviceList = find("ibv_free_device_list");
        getDeviceName = find("ibv_get_device_name");
        openDevice = find("ibv_open_device");
        closeDevice = find("ibv_close_device");
        getAsyncEvent = find("ibv_get_async_event");
        ackAsyncEvent = find("ibv_ack_async_event");
        createEventChannel = find("rdma_create_event_channel");
        destroyEventChannel = find("rdma_destroy_event_channel");
        getCmEvent = find("rdma_get_cm_event");
        ackCmEvent = find("rdma_ack_cm_event");
        createId = find("rdma_create_id");
        destroyId = find("rdma_destroy_id");
        bindAddr = find("rdma_bind_addr");
        listen = find("rdma_listen");
        resolveAddr = find("rdma_resolve_addr");
        resolveRoute = find("rdma_resolve_route");
        createQp = find("rdma_create_qp");
        destroyQp = find("rdma_destroy_qp");
        connect = find("rdma_connect");
        accept = find("rdma_accept");
        disconnect = find("rdma_disconnect");
        poll = find("poll");
        fcntl = find("fcntl");
        strerror = find("strerror");
    }

    /**
     * The libraries of this machine.
     *
     * @throws IOException if they are not there, or too old; the message says what to install
     */
    @SuppressWarnings("restricted") // loads the libraries
    static Library ofThisMachine() throws IOException {
        String system = System.getProperty("os.name", "");
        String processor = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        if (!system.equals("Linux") || !(processor.equals("amd64") || processor.equals("aarch64"))) {
            throw new NoDeviceException(
                    "the provider native knows rdma-core on 64-bit Linux with amd64 or aarch64, not " + system + " on "
                            + processor + "; use the provider iwarp");
        }
        SymbolLookup verbs = load(VERBS);
        SymbolLookup connections = load(CONNECTIONS);
        SymbolLookup libc = Linker.nativeLinker().defaultLookup();
        return new Library(
                name -> connections.find(name).or(() -> verbs.find(name)).or(() -> libc.find(name)));
    }

    @SuppressWarnings("restricted") // loads the library
    private static SymbolLookup load(String name) throws IOException {
        try {
            return SymbolLookup.libraryLookup(name, Arena.global());
        } catch (IllegalArgumentException missing) {
            throw new NoDeviceException(name + " cannot be loaded (" + missing.getMessage() + ")" + HINT, missing);
        } catch (IllegalCallerException denied) {
            throw new NoDeviceException(
                    "this program may not call native code (" + denied.getMessage()
                            + "): start it with --enable-native-access=ALL-UNNAMED, or use the provider iwarp",
                    denied);
        }
    }

    private MemorySegment find(String name) throws IOException {
        return symbols.find(name)
                .orElseThrow(() -> new NoDeviceException("rdma-core's libraries have no " + name + HINT));
    }

    /**
     * A failed call: the function, the system's words for {@code errno}, and what may be done about it; a {@link
     * NoDeviceException} where a driver or a right is lacking.
     */
    IOException failed(String what, int errno) {
        String message = what + ": " + words(errno) + Remedies.of(what, errno);
        return Remedies.isLacking(what, errno) ? new NoDeviceException(message) : new IOException(message);
    }

    /** The same, for a call that has just failed and left its reason in errno. */
    IOException failed(String what) {
        return failed(what, Calls.errno());
    }

    /**
     * Sees that a library has put into a structure what it was given, where the headers have it.
     *
     * @throws IOException if it is laid out otherwise
     */
    static void agree(String field, long expected, long found) throws IOException {
        if (expected != found) {
            throw new NoDeviceException("rdma-core lays out its structures otherwise than its public headers of version"
                    + " 44: " + field + " is " + found + " and not " + expected
                    + "; use the provider iwarp, and tell the version of libibverbs1");
        }
    }

    /** The system's words for {@code errno}. */
    String words(int errno) {
        return Calls.text(Calls.call(strerror, errno));
    }
}
