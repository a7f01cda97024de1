package dev.retier.bench.state;

import dev.retier.bench.ChildProcess;
import dev.retier.bench.Launched;
import dev.retier.config.tls.KeyFiles;
import dev.retier.config.tls.NodeName;
import dev.retier.config.tls.RereadListener;
import dev.retier.config.tls.TrustFile;
import dev.retier.link.LinkTls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One certificate that names every node of a cell, so that all may show it, as {@code retier cert} makes it.
 *
 * @param folder where the files are
 */
record CellCertificate(Path folder) {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    /**
     * Makes it for so many nodes.
     *
     * @param folder an empty one
     * @throws IOException when it cannot be made
     */
    static CellCertificate make(Path folder, int nodes) throws IOException {
        run(folder, List.of("new", folder.toString()));
        List<String> sign = new ArrayList<>(List.of("sign", "--name", name(1)));
        IntStream.rangeClosed(2, nodes).forEach(id -> sign.addAll(List.of("--dns", name(id))));
        sign.addAll(List.of("--ca", folder.toString(), "--out", folder.toString()));
        run(folder, sign);
        return new CellCertificate(folder);
    }

    private static void run(Path folder, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Launched.launcher().toString(), "cert"));
        command.addAll(arguments);
        ChildProcess.run(command, folder, folder.resolve("cert.log"), LIMIT, _ -> {});
    }

    private static String name(int id) {
        return "node-" + id;
    }

    /** What each node of a cell in this process shows and believes. */
    LinkTls tls() {
        return new LinkTls(
                KeyFiles.open(certificate(), key(), RereadListener.ONCE),
                TrustFile.open(authority(), RereadListener.ONCE),
                (claimed, shown) -> NodeName.refusal(shown, name(claimed.value())));
    }

    /** Lines of a cluster file by which its agents show and believe the same. */
    String lines() {
        return """
                rdma:
                  tls: {certificate: "%s", key: "%s", ca: "%s"}
                """.formatted(certificate(), key(), authority());
    }

    private Path certificate() {
        return folder.resolve(name(1) + ".pem");
    }

    private Path key() {
        return folder.resolve(name(1) + ".key");
    }

    private Path authority() {
        return folder.resolve("ca.pem");
    }
}
