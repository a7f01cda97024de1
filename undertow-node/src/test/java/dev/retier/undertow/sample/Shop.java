package dev.retier.undertow.sample;

import dev.retier.undertow.UndertowNode;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.server.handlers.PathHandler;
import java.io.OutputStream;
import java.nio.file.Path;

/** A shop: {@code Shop NAME ROLE-FILE PORT ADMIN-PORT}. */
public final class Shop implements AutoCloseable {
    private final UndertowNode node;
    private final Undertow server;

    Shop(String name, Path roleFile, int port, int adminPort) {
        HttpHandler pages = new PathHandler()
                .addExactPath("/", exchange -> exchange.getResponseSender().send("the shop on " + name + "\n"))
                .addExactPath("/orders", new BlockingHandler(exchange -> {
                    long bytes = exchange.getInputStream().transferTo(OutputStream.nullOutputStream());
                    exchange.getResponseSender().send("an order of " + bytes + " bytes\n");
                }));
        node = UndertowNode.builder(name, roleFile).start();
        server = Undertow.builder()
                .addHttpListener(port, "0.0.0.0", node.wrap(pages))
                .addHttpListener(adminPort, "127.0.0.1", node.admin())
                .build();
        server.start();
    }

    /** Lets the last requests finish, then stops. */
    @Override
    public void close() {
        node.close();
        server.stop();
    }

    public static void main(String[] args) {
        Shop shop = new Shop(args[0], Path.of(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        Runtime.getRuntime().addShutdownHook(new Thread(shop::close));
    }
}
