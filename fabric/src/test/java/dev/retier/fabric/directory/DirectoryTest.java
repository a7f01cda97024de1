package dev.retier.fabric.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the keeper of a name makes of its holder's reports. */
class DirectoryTest {
    private static final NodeId SELF = new NodeId(1);
    private static final NodeId HOLDER = new NodeId(2);
    private static final Names NAMES = new Names(List.of(SELF, HOLDER));
    private static final RegionRecord REGION = new RegionRecord(
            IntStream.range(0, 1000)
                    .mapToObj(i -> new RegionName("accounts/" + i))
                    .filter(name -> NAMES.keeperOf(name).equals(SELF))
                    .findFirst()
                    .orElseThrow(),
            7,
            RegionRecord.firstVersion(1),
            new Shape(4096, 4096),
            List.of(HOLDER),
            new RegionRecord.Rights(Permissions.ALL, Map.of()));

    private final Directory directory = new Directory(SELF, NAMES, 2);

    @Test
    void shouldAskTheHolder_whenItComesBackWithoutARegionThatItHadReportedAsAPlan() {
        report(new RegionRequest.Report(Optional.of(REGION), Optional.empty()));
        hear(SELF, new RegionRequest.Reported());
        hear(HOLDER, new RegionRequest.Reported());
        confirmAll();
        report(new RegionRequest.Report(Optional.of(REGION), Optional.of(REGION.moved(HOLDER, SELF))));
        confirmAll();

        directory.disconnected(HOLDER);
        hear(HOLDER, new RegionRequest.Reported());

        assertThat(directory.isUnsettled()).isTrue();
    }

    @Test
    void shouldBeContent_whenTheHolderReportsTheRegionAgain() {
        report(new RegionRequest.Report(Optional.of(REGION), Optional.empty()));
        hear(SELF, new RegionRequest.Reported());
        hear(HOLDER, new RegionRequest.Reported());
        confirmAll();

        directory.disconnected(HOLDER);
        RegionRecord newer = REGION.withVersion(REGION.inLife(2).version());
        report(new RegionRequest.Report(Optional.of(newer), Optional.empty()));
        hear(HOLDER, new RegionRequest.Reported());

        assertThat(directory.isUnsettled()).isFalse();
    }

    private void report(RegionRequest.Report report) {
        hear(HOLDER, report);
    }

    private void hear(NodeId from, RegionRequest.ToDirectory request) {
        assertThat(directory.handle(from, request)).isEqualTo(new RegionAnswer.Done());
    }

    /** The holder confirms whatever it is told. */
    private void confirmAll() {
        assertThat(directory.isUnsettled()).isTrue();
        Reaction step = directory.reconcile();
        while (step instanceof Reaction.Perform perform) {
            List<RegionAnswer> done = Collections.nCopies(perform.effects().size(), new RegionAnswer.Done());
            step = perform.then().apply(done);
        }
        assertThat(directory.isUnsettled()).isFalse();
    }
}
