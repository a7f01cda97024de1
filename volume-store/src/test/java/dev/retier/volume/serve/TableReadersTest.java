package dev.retier.volume.serve;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.Connection;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TableReadersTest {
    private final TableReaders readers = new TableReaders(2);

    /** Agents and commands come and go for years: who has left takes nobody's place. */
    @Test
    void shouldLetSoManyIn_andOthersOnceTheseHaveLeft() throws IOException {
        Connection stays = readers.enter();
        for (int i = 0; i < 5; i++) {
            Connection leaves = readers.enter();
            assertThatThrownBy(readers::enter).hasMessage("2 read the table of volumes already");
            leaves.abort("it has left");
        }
        stays.abort("it has left");
        var _ = readers.enter();
        var _ = readers.enter();
        assertThatThrownBy(readers::enter).isInstanceOf(IOException.class);
    }
}
