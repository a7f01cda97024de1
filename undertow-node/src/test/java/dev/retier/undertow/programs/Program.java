package dev.retier.undertow.programs;

import dev.retier.undertow.UndertowNode;
import io.undertow.Undertow;
import java.net.InetSocketAddress;

/**
 * A program that serves on ports of its own, with a node around it: {@code /hello} says its name, {@code /length} reads
 * what is sent, on a thread that may block, and tells how much it was, {@code /lines} answers ten thousand lines of
 * unknown length in all, {@code /wait} answers when {@link Gate} lets it.
 */
interface Program extends AutoCloseable {
    /** Undertow itself takes 2 MiB. */
    long MAX_UPLOAD_BYTES = 10 << 20;

    int LINES = 10_000;
    String LINE = "a line of what is told as it comes\n";

    int port();

    int adminPort();

    @Override
    void close();

    /** That of a listener of a server that runs, counted from 0. */
    static int port(Undertow server, int listener) {
        return ((InetSocketAddress) server.getListenerInfo().get(listener).getAddress()).getPort();
    }

    /** How a program of some kind is started. */
    interface Kind {
        Program start(String name, UndertowNode node) throws Exception;
    }
}
