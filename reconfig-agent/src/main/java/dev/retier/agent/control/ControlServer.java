package dev.retier.agent.control;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.Command;
import dev.retier.agent.command.CommandText;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes commands at a Unix-domain socket: one line in, one line out, one connection each. Who may open the socket, its
 * owner and its group, may command; the kernel tells who it is, and the log keeps it. Thread-safe.
 */
public final class ControlServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.retier.agent");
    /** Moves take their time, and each waits for its end. */
    private static final int MAX_CONNECTIONS = 16;

    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    private static final String PERMISSIONS = "rw-rw----";

    private final String name;
    private final Path path;
    private final Handler handler;
    private final ServerSocketChannel channel;
    private final Semaphore places = new Semaphore(MAX_CONNECTIONS);
    private final ExecutorService workers;
    private final Thread acceptor;

    /** Obeys commands; called by one thread per connection. */
    public interface Handler {
        /**
         * Carries out a command and says what became of it, however long that takes.
         *
         * @param by who asked, for the log
         */
        Answer answer(Command command, String by) throws InterruptedException;
    }

    private ControlServer(String name, Path path, Handler handler, ServerSocketChannel channel) {
        this.name = name;
        this.path = path;
        this.handler = handler;
        this.channel = channel;
        this.workers = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("retier-control-" + name + "-", 0).factory());
        this.acceptor = Thread.ofVirtual()
                .name("retier-control-" + name)
                .unstarted(() -> AcceptLoop.run(name + ": the control socket", this::accept, Thread::sleep));
    }

    /**
     * Listens at {@code path}, in the place of a socket that an agent before this one has left.
     *
     * @param name of the node, for the log
     * @throws IOException when it cannot, or another agent listens there
     */
    public static ControlServer start(String name, Path path, Handler handler) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(path + " is no path of a socket");
        }
        Files.createDirectories(folder);
        refuseWhenTaken(path);
        Path fresh = folder.resolve("." + path.getFileName());
        Files.deleteIfExists(fresh);
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(fresh));
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString(PERMISSIONS));
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e instanceof IOException failed ? failed : new IOException(path + ": " + e.getMessage(), e);
        }
        ControlServer server = new ControlServer(name, path, handler, channel);
        server.acceptor.start();
        return server;
    }

    private static void refuseWhenTaken(Path path) throws IOException {
        if (!Files.exists(path)) {
            return;
        }
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.connect(UnixDomainSocketAddress.of(path));
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} was left by an agent that is gone: {}", path, e.toString());
            return;
        }
        throw new IOException(path + ": another agent listens there");
    }

    /** Takes one connection; what fails on the connection itself is the operator's trouble, not the listener's. */
    private void accept() throws IOException {
        SocketChannel client = channel.accept();
        if (places.tryAcquire()) {
            workers.execute(() -> serve(client));
            return;
        }
        try (client) {
            send(client, Answer.of(Answer.Outcome.FAILED, "too many commands at the same time; try again"));
        } catch (IOException e) {
            LOG.debug("{}: who was turned away at the control socket is gone: {}", name, e.toString());
        }
    }

    private void serve(SocketChannel client) {
        try (client) {
            String by =
                    client.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
            String line = ControlClient.readLine(client, CommandText.MAX_LENGTH, REQUEST_TIMEOUT);
            Answer answer = CommandText.parse(line)
                    .map(command -> answer(command, by))
                    .orElseGet(() -> Answer.of(Answer.Outcome.BAD_REQUEST, "not a command of this version"));
            send(client, answer);
        } catch (IOException e) {
            // The command was carried out or was none; nobody is there any more to be told.
            LOG.info("{}: an operator left the control socket: {}", name, e.toString());
        } finally {
            places.release();
        }
    }

    private Answer answer(Command command, String by) {
        try {
            return handler.answer(command, by);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.of(Answer.Outcome.FAILED, "the agent is leaving");
        }
    }

    private static void send(SocketChannel client, Answer answer) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((answer.print() + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            client.write(bytes);
        }
    }

    /** Stops listening and takes the socket away; what is under way is answered as far as it came. */
    @Override
    public void close() {
        try {
            channel.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("{}: cannot remove {}: {}", name, path, e.toString());
        }
        acceptor.interrupt();
        workers.shutdownNow();
    }
}
