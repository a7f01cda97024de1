package dev.retier.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditHistoryTest {
    @TempDir
    private Path folder;

    @Test
    void shouldSayHowManyLinesTellNothing() throws IOException {
        assertThat(AuditHistory.unreadable(Map.of("node-1", folder))).isEmpty();
        Path file = Files.writeString(folder.resolve("audit.jsonl"), "{\"id\":\"cut\nnothing\n");

        assertThat(AuditHistory.unreadable(Map.of("node-1", folder)))
                .singleElement()
                .asString()
                .startsWith(file + ": 2 lines tell no command");
    }
}
