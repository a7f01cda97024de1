package dev.retier.cli.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.ReservedPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Two members of {@code retier fabric} in one process. */
@Timeout(60)
class FabricSessionIT {
    private static final int MEMBERS = 2;
    private static final String WHAT = "test";

    @TempDir
    private Path folder;

    @Test
    void shouldEndInPeace_whenTheHomeHasEndedBefore() throws Exception {
        try (ReservedPorts ports = new ReservedPorts(MEMBERS)) {
            Path file = cluster(ports);
            FabricSession home = session(file, "node-1");
            CompletableFuture<SharedWords> made = new CompletableFuture<>();
            Thread maker = Thread.ofPlatform().start(() -> {
                try {
                    made.complete(home.words(WHAT, Members.words(MEMBERS)));
                } catch (InterruptedException | RuntimeException e) {
                    made.completeExceptionally(e);
                }
            });
            try (FabricSession member = session(file, "node-2")) {
                Members members = new Members(member.words(WHAT, Members.words(MEMBERS)), 0, MEMBERS, 1);
                members.reach(Members.FINISHED);
                assertThat(new Members(made.get(), 0, MEMBERS, 0).state(1)).isEqualTo(Members.FINISHED);
                maker.join();
                home.close();

                member.end(members);
            }
        }
    }

    private static FabricSession session(Path file, String node) {
        return new FabricSession(CommandLine.populateCommand(
                new FabricOptions(), "--config", file.toString(), "--node", node, "--port-offset", "0"));
    }

    private Path cluster(ReservedPorts ports) throws IOException {
        Path secret = Files.createFile(
                folder.resolve("secret"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "the secret of two members, of some length");
        StringBuilder text = new StringBuilder("name: fabric\nsecret-file: " + secret + "\njournal-directory: "
                + folder.resolve("j") + "\nsites:\n  - {id: 1, name: shop, proxy: {min: 1}, app: {min: 1}}\n"
                + "witnesses: [node-1]\nnodes:\n");
        for (int id = 1; id <= MEMBERS; id++) {
            text.append("""
                      - id: %1$d
                        name: node-%1$d
                        role: shop/%2$s
                        rdma: 127.0.0.1:%3$d
                        agent: 127.0.0.1:1%1$d
                        server: {kind: web-node, address: "127.0.0.1:2%1$d", admin: "127.0.0.1:3%1$d", role-file: %4$s}
                    """.formatted(
                            id, id == 1 ? "proxy" : "app", ports.address(id - 1).getPort(), folder.resolve("r" + id)));
        }
        return Files.writeString(folder.resolve("cluster.yaml"), text);
    }
}
