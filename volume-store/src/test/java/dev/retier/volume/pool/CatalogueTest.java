package dev.retier.volume.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.VolumeName;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    private static final VolumeName NAME = new VolumeName("accounts");

    private static Catalogue after(JournalRecord... records) {
        Catalogue now = new Catalogue(new TreeMap<>(), 0);
        for (JournalRecord record : records) {
            now = now.after(record);
        }
        return now;
    }

    /** Two attachments may reach the journal in another order than they were given in. */
    @Test
    void shouldKeepTheHighestEpoch() {
        JournalRecord made = new JournalRecord.Created(1, NAME, 4096);
        assertThat(after(made, new JournalRecord.Attached(1, 6, 8), new JournalRecord.Attached(1, 5, 7))
                        .entries())
                .containsEntry(1, new Catalogue.Entry(NAME, 4096, 6, 8));
        assertThat(after(made, new JournalRecord.Attached(1, 6, 8), new JournalRecord.Attached(1, 6, 0))
                        .entries())
                .as("given back")
                .containsEntry(1, new Catalogue.Entry(NAME, 4096, 6, 0));
        assertThat(after(made, new JournalRecord.Attached(1, 6, 8), new JournalRecord.Attached(1, -1, 7))
                        .entries())
                .as("unsigned")
                .containsEntry(1, new Catalogue.Entry(NAME, 4096, -1, 7));
    }
}
