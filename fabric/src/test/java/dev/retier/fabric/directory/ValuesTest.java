package dev.retier.fabric.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.link.NodeId;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a region may be, at the border and just past it. */
class ValuesTest {
    private static final NodeId ONE = new NodeId(1);
    private static final NodeId TWO = new NodeId(2);
    private static final NodeId THREE = new NodeId(3);
    private static final long MOST = 256L << 30;

    @Test
    void shouldRefuseALength_whenItIsJustPastTheBorder() {
        assertThat(RegionSpec.on(ONE, 1, Permissions.NONE))
                .isEqualTo(new RegionSpec(1, List.of(ONE), Permissions.NONE));
        assertThat(RegionSpec.on(ONE, MOST, Permissions.ALL).lengthBytes()).isEqualTo(MOST);
        assertThatThrownBy(() -> RegionSpec.on(ONE, 0, Permissions.ALL)).hasMessageContaining("a region of 0 bytes");
        assertThatThrownBy(() -> RegionSpec.on(ONE, MOST + 1, Permissions.ALL))
                .hasMessageContaining("must have 1 to " + MOST);
    }

    @Test
    void shouldRefuseNodes_whenThereAreNoneOrTooMany() {
        assertThat(new RegionSpec(1, Collections.nCopies(256, ONE), Permissions.ALL).nodes())
                .hasSize(256);
        assertThatThrownBy(() -> new RegionSpec(1, Collections.nCopies(257, ONE), Permissions.ALL))
                .hasMessageContaining("a region on 257 nodes");
        assertThatThrownBy(() -> new RegionSpec(1, List.of(), Permissions.ALL))
                .hasMessageContaining("a region on 0 nodes");
    }

    @Test
    void shouldRefuseAShape_whenItIsJustPastTheBorder() {
        assertThat(new Shape(1, 4096).parts()).isEqualTo(1);
        assertThat(new Shape(MOST, 1 << 30).parts()).isEqualTo(256);
        assertThat(new Shape(256 * 4096, 4096).parts()).isEqualTo(256);
        assertThatThrownBy(() -> new Shape(0, 4096)).hasMessageContaining("a region of 0 bytes");
        assertThatThrownBy(() -> new Shape(1, 0)).hasMessageContaining("in parts of 0");
        assertThatThrownBy(() -> new Shape(1, (1 << 30) + 4096)).hasMessageContaining("a region of 1 bytes");
        assertThatThrownBy(() -> new Shape(1, 4097)).hasMessageContaining("parts of 4097 bytes");
        assertThatThrownBy(() -> new Shape(256 * 4096 + 1, 4096)).hasMessageContaining("parts of 4096 bytes");
    }

    @Test
    void shouldTellWhatIsAllowed_whenOnlySomeIs() {
        Permissions some = Permissions.of(Permission.READ, Permission.ATOMIC);
        assertThat(some.bits()).isEqualTo(5);
        assertThat(some).hasToString("[READ+ATOMIC]");
        assertThat(some.allow(Permission.READ)).isTrue();
        assertThat(some.allow(Permission.WRITE)).isFalse();
        assertThat(some.allow(Permissions.of(Permission.ATOMIC))).isTrue();
        assertThat(some.allow(Permissions.of(Permission.ATOMIC, Permission.WRITE)))
                .isFalse();
        assertThat(some.allow(Permissions.NONE)).isTrue();
        assertThat(Permissions.NONE.allow(some)).isFalse();
        assertThat(new Permissions(15)).isEqualTo(Permissions.ALL);
        assertThatThrownBy(() -> new Permissions(16)).hasMessageContaining("permissions 0x10 have unknown bits");
    }

    @Test
    void shouldPassByItself_whenTheFailureIsOfTheMoment() {
        assertThat(RegionFailure.values())
                .filteredOn(RegionFailure::isPassing)
                .containsExactly(RegionFailure.NODE_UNREACHABLE, RegionFailure.BUSY, RegionFailure.NOT_READY);
    }

    @Test
    void shouldAgreeOnTheKeeper_whateverTheOrderOfTheNodes() {
        Names names = new Names(List.of(THREE, ONE, TWO, ONE));
        assertThat(names.nodes()).containsExactly(ONE, TWO, THREE);
        assertThatThrownBy(() -> new Names(List.of())).hasMessage("a cell has a node at least");
    }

    @Test
    void shouldRefuseAPlacement_whenItDoesNotFitTheShape() {
        RegionRecord region = region();
        assertThat(region.freed().isFreed()).isTrue();
        assertThat(region.isFreed()).isFalse();
        assertThatThrownBy(() ->
                        new RegionRecord(region.name(), 7, 1, region.shape(), List.of(ONE, TWO, ONE), region.rights()))
                .hasMessage("3 places for 2 parts");
        assertThatThrownBy(() -> new RegionRecord(region.name(), 7, 1, region.shape(), List.of(ONE), region.rights()))
                .hasMessage("1 places for 2 parts");
    }

    @Test
    void shouldCountVersionsUp_whenSomethingChanges() {
        RegionRecord region = region();
        assertThat(RegionRecord.firstVersion(3)).isEqualTo(0x3_0000_0000L);
        assertThat(region.renewed().version()).isEqualTo(101);
        assertThat(region.freed().version()).isEqualTo(101);
        assertThat(region.granted(ONE, Permissions.NONE).version()).isEqualTo(101);
        assertThat(region.moved(ONE, THREE))
                .isEqualTo(Steps.region(region.name(), THREE, TWO).withVersion(101));
        assertThat(region.inLife(1).version()).isEqualTo(0x1_0000_0001L);
        assertThat(region.withVersion(0x5_0000_0000L).inLife(1).version()).isEqualTo(0x5_0000_0001L);
    }

    @Test
    void shouldNotSend_whenAnAnswerDoesNotTravel() {
        RegionAnswer mapped = new RegionAnswer.Mapped(region(), List.of());
        assertThatThrownBy(() -> DirectoryMessages.emit(mapped))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(" stays where it is");
    }

    @Test
    void shouldNotBelieveAMessage_whenBytesAreLeftOrTextIsTooLong() {
        assertThat(DirectoryMessages.answer(ByteBuffer.wrap(new byte[] {64}))).contains(Steps.DONE);
        assertThat(DirectoryMessages.answer(ByteBuffer.wrap(new byte[] {64, 0})))
                .isEmpty();
        assertThat(DirectoryMessages.answer(refusal(200))).isPresent();
        assertThat(DirectoryMessages.answer(refusal(201))).isEmpty();
    }

    private static ByteBuffer refusal(int letters) {
        ByteBuffer bytes = ByteBuffer.allocate(4 + letters).put((byte) 67).put((byte) 11);
        bytes.putShort((short) letters);
        while (bytes.hasRemaining()) {
            bytes.put((byte) 'x');
        }
        return bytes.flip();
    }

    private static RegionRecord region() {
        RegionRecord region = Steps.region(new RegionName("accounts"), ONE, TWO);
        assertThat(region.rights()).isEqualTo(new RegionRecord.Rights(Permissions.ALL, Map.of()));
        return region.withVersion(100);
    }
}
