package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.LinkHost.Admission;
import dev.retier.link.MemoryLink;
import dev.retier.link.NodeId;
import dev.retier.link.auth.Identity;
import dev.retier.link.auth.Versions;
import dev.retier.state.slot.SlotGrant;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LocalTest {
    private final MemoryCell cell = new MemoryCell();
    private final MemoryLink link = new MemoryLink(cell.world, new Identity(new NodeId(5), 45));

    LocalTest() throws IOException {}

    @Test
    void shouldGiveAMemberOfThisVersionNoWordsToWrite_whenItHearsItsMessages() throws IOException {
        Admission admission = cell.local.admit(link.ready(Versions.CURRENT));
        admission.use().nudged();

        assertThat(SlotGrant.decode(ByteBuffer.wrap(admission.grant())))
                .matches(grant -> grant.slotAddress() != 0 && grant.readKey() != 0)
                .matches(grant -> grant.formerAddress() == 0 && grant.formerKey() == 0);
        assertThat(cell.local.announcements().callers()).containsExactly(new NodeId(5));
    }

    @Test
    void shouldGiveAMemberOfTheFormerVersionWordsToWrite_whenItHearsItsImmediates() throws IOException {
        Admission admission = cell.local.admit(link.ready(Versions.FORMER));
        admission.use().immediate(0);

        assertThat(SlotGrant.decode(ByteBuffer.wrap(admission.grant())))
                .matches(grant -> grant.formerAddress() != 0 && grant.formerKey() != 0);
        assertThat(cell.local.announcements().callers()).containsExactly(new NodeId(5));
    }

    @Test
    void shouldWaitEightDeadlines_whenThatIsLongerThanTwoSeconds() throws IOException {
        assertThat(cell.local.links().stallBound())
                .isEqualTo(MemoryCell.LEASE.dividedBy(6).multipliedBy(8));
        Local quick = new MemoryCell(Duration.ofMillis(600)).local;

        assertThat(quick.links().stallBound()).isEqualTo(Duration.ofSeconds(2));
    }
}
