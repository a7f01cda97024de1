package dev.retier.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorTextTest {
    @Test
    void shouldReadWhatIsUtf8AndWhatIsNot(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("nginx.conf");
        String text = "# f\u00fcr den Laden\nhttp {}\n";
        Files.writeString(file, text);
        assertThat(OperatorText.read(file)).isEqualTo(text);
        Files.writeString(file, text, StandardCharsets.ISO_8859_1);
        assertThat(OperatorText.read(file)).isEqualTo(text);
    }
}
