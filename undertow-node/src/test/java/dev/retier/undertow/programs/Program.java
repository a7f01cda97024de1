package dev.retier.undertow.programs;

import dev.retier.undertow.UndertowNode;

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

    /** How a program of some kind is started. */
    interface Kind {
        Program start(String name, UndertowNode node) throws Exception;
    }
}
