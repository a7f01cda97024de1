package dev.retier.state.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.MemoryLink;
import dev.retier.link.NodeId;
import dev.retier.link.auth.Identity;
import dev.retier.state.LoadRecord;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import dev.retier.state.lock.LockWord;
import dev.retier.state.slot.SlotGrant;
import dev.retier.state.slot.SlotImage;
import dev.retier.state.slot.SlotLayout;
import dev.retier.testsupport.verbs.VerbsWorld;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnMemoryTest {
    private static final NodeId SELF = new NodeId(2);
    private static final RoleWord ROLE = RoleWord.active(3, 1000, Role.SPARE);

    private final OwnMemory memory = new OwnMemory(new Identity(SELF, 42), 1000, ROLE);

    @Test
    void shouldShowWhatWasPublished_whenItReadsItsOwnSlot() {
        LoadRecord load = new LoadRecord(1, LoadRecord.Health.UP, 0.5, 0, 0, 10, 1, 100, 0);
        memory.publish(load);

        assertThat(SlotImage.parse(memory.copy(), SELF)).isEqualTo(new SlotImage.Whole(42, 1, ROLE, load, true));
        assertThat(memory.role()).isEqualTo(new RoleWord.Valid(ROLE));
    }

    /** Fences that were set before it went down are forgotten. */
    @Test
    void shouldCountFencesFromItsStart_whenItComesUp() {
        assertThat(new OwnMemory(new Identity(SELF, 43), 2000, ROLE).role())
                .isEqualTo(new RoleWord.Valid(RoleWord.active(3, 2000, Role.SPARE)));
    }

    @Test
    void shouldHoldEveryLockItself_whenItHasJustStarted() {
        long word = memory.copy().get(SlotLayout.WORD_LAYOUT, SlotLayout.lockOffset(new SiteId(63)));

        assertThat(LockWord.decode(word)).isEqualTo(new LockWord(1000, SELF.value(), 0));
    }

    /** Each key is good for what it is given for, and for nothing else. */
    @Test
    void shouldLetNobodyWriteWhatIsSwapped_whenAPeerHasItsKeys() throws IOException {
        MemoryLink link = new MemoryLink(new VerbsWorld(), new Identity(SELF, 42));
        SlotGrant grant = memory.grant(link.answering(), Optional.empty());

        assertThat(link.write(grant.slotAddress() + SlotLayout.ROLE_OFFSET, grant.atomicKey()))
                .isFalse();
        assertThat(memory.role()).isEqualTo(new RoleWord.Valid(ROLE));
    }

    /** The rule of version 2: four immediates that are not answered, then none. */
    @Test
    void shouldHearAMemberOfVersionTwoAgainAndAgain_whenItSendsNoMoreThanAreAnswered() throws IOException {
        MemoryLink link = new MemoryLink(new VerbsWorld(), new Identity(SELF, 42));
        Announcements announcements = new Announcements();
        FormerBells bells = new FormerBells(announcements, new NodeId(5));
        SlotGrant grant = memory.grant(link.answering(), Optional.of(bells.words()));

        assertThat(memory.grant(link.answering(), Optional.empty()).formerKey()).isZero();
        for (int sent = 0; sent < 9; sent++) {
            assertThat(link.write(grant.formerAddress(), grant.formerKey())).isTrue();
            long answered = bells.words().get(SlotLayout.WORD_LAYOUT, Long.BYTES);
            assertThat(sent - answered).isLessThan(4);
            bells.immediate(0);
        }
        assertThat(announcements.heard()).isEqualTo(9);
        assertThat(announcements.callers()).containsExactly(new NodeId(5));
    }
}
