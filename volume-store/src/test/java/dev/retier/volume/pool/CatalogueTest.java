package dev.retier.volume.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.volume.VolumeName;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    private static final VolumeName NAME = new VolumeName("accounts");

    private static final JournalRecord.Maker MAKER = new JournalRecord.Maker(Long.MIN_VALUE, 9);

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
        JournalRecord made = new JournalRecord.Created(1, NAME, 4096, MAKER);
        assertThat(after(made, new JournalRecord.Attached(1, 6, 8), new JournalRecord.Attached(1, 5, 7))
                        .entries())
                .containsEntry(1, new Catalogue.Entry(NAME, 4096, 6, 8, 0, 1, MAKER));
        assertThat(after(made, new JournalRecord.Attached(1, 6, 8), new JournalRecord.Attached(1, 6, 0))
                        .entries())
                .as("given back")
                .containsEntry(1, new Catalogue.Entry(NAME, 4096, 6, 0, 0, 1, MAKER));
        assertThat(after(made, new JournalRecord.Attached(1, 6, 8), new JournalRecord.Attached(1, -1, 7))
                        .entries())
                .as("unsigned")
                .containsEntry(1, new Catalogue.Entry(NAME, 4096, -1, 7, 0, 1, MAKER));
    }

    @Test
    void shouldKnowWhatIsACopyOfWhat() {
        VolumeName before = new VolumeName("before");
        Catalogue now = after(
                new JournalRecord.Created(4, NAME, 8192, MAKER),
                new JournalRecord.Attached(4, 6, 8),
                new JournalRecord.Copied(5, 4, 4, before),
                new JournalRecord.Copied(6, 5, 0, new VolumeName("clone")),
                new JournalRecord.Copied(7, 9, 0, new VolumeName("of-nothing")),
                new JournalRecord.Resized(4, 4096),
                new JournalRecord.Copied(8, 4, 4, NAME),
                new JournalRecord.RolledBack(4, 5));

        assertThat(now.entries())
                .containsOnlyKeys(4, 5, 6, 8)
                .containsEntry(4, new Catalogue.Entry(NAME, 8192, 6, 8, 0, 4, MAKER))
                .containsEntry(5, new Catalogue.Entry(before, 8192, 0, 0, 4, 4, JournalRecord.Maker.NOBODY))
                .containsEntry(
                        6, new Catalogue.Entry(new VolumeName("clone"), 8192, 0, 0, 0, 4, JournalRecord.Maker.NOBODY))
                .containsEntry(8, new Catalogue.Entry(NAME, 4096, 0, 0, 4, 4, JournalRecord.Maker.NOBODY));
        assertThat(now.numberOf(NAME)).contains(4);
        assertThat(now.numberOf(before)).isEmpty();
        assertThat(now.snapshotOf(4, before)).contains(5);
        assertThat(now.hasSnapshots(4)).isTrue();
        assertThat(now.hasSnapshots(6)).isFalse();
        assertThat(Catalogue.parse(now.encode(3), 3)).contains(now);
        assertThat(Catalogue.parse(now.encode(3), 4)).isEmpty();
    }
}
