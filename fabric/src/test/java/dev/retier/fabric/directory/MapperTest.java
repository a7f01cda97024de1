package dev.retier.fabric.directory;

import static dev.retier.fabric.directory.Steps.DONE;
import static dev.retier.fabric.directory.Steps.answer;
import static dev.retier.fabric.directory.Steps.call;
import static dev.retier.fabric.directory.Steps.effects;
import static dev.retier.fabric.directory.Steps.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.link.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node maps a region, uses it, and gives it up or has it taken away. */
class MapperTest {
    private static final NodeId SELF = new NodeId(1);
    private static final NodeId KEEPER = new NodeId(2);
    private static final NodeId OTHER = new NodeId(3);
    private static final Names NAMES = new Names(List.of(SELF, KEEPER, OTHER));
    private static final RegionName NAME = Steps.nameKeptBy(NAMES, KEEPER, 0);
    private static final RegionRecord REGION = Steps.region(NAME, OTHER, KEEPER, OTHER);
    private static final Permissions READ = Permissions.of(Permission.READ);
    private static final long NUMBER = 11;
    private static final PartKey FIRST = new PartKey(0, 1, 10);
    private static final PartKey SECOND = new PartKey(1, 1, 11);
    private static final PartKey THIRD = new PartKey(2, 1, 12);
    private static final RegionAnswer AWAY = refused(RegionFailure.NODE_UNREACHABLE);
    private static final RegionAnswer MOVED =
            refused(RegionFailure.MOVED, "a part is not where it was: map the region again");
    private static final RegionAnswer GIVEN_UP = refused(RegionFailure.UNMAPPED, "the handle was given up");

    private final Mapper mapper = new Mapper(SELF, NAMES);

    @Test
    void shouldHaveTheKeysOfAllParts_whenEveryHolderOpensThem() {
        assertThat(mapped()).isEqualTo(new RegionAnswer.Mapped(REGION, List.of(SECOND, FIRST, THIRD)));
    }

    @ParameterizedTest
    @EnumSource(names = {"NODE_UNREACHABLE", "LOST"})
    void shouldHaveTheKeysThatThereAre_whenAHolderIsAwayOrHasLostItsParts(RegionFailure why) {
        assertThat(answer(open(), keys(SECOND), refused(why)))
                .isEqualTo(new RegionAnswer.Mapped(REGION, List.of(SECOND)));
        assertThat(answer(open(), refused(why), keys(FIRST, THIRD)))
                .isEqualTo(new RegionAnswer.Mapped(REGION, List.of(FIRST, THIRD)));
        assertGivenUp(answer(open(), refused(why), AWAY), refused(why));
    }

    @Test
    void shouldTakeNoKey_whenAHolderRefusesOrAnswersOtherwise() {
        RegionAnswer full = refused(RegionFailure.NO_SPACE);
        assertGivenUp(answer(open(), keys(SECOND), full), full);
        assertGivenUp(answer(open(), full, keys(FIRST, THIRD)), full);
        assertGivenUp(answer(open(), keys(SECOND), keys(FIRST)), MOVED);
        assertGivenUp(answer(open(), DONE, keys(FIRST, THIRD)), MOVED);
    }

    @Test
    void shouldRefuse_whenTheRegionIsNotThereOrNotAllowed() {
        RegionAnswer none = refused(RegionFailure.NO_SUCH_REGION);
        assertThat(answer(mapper.map(NAME, READ, NUMBER), none)).isEqualTo(none);
        assertThat(answer(mapper.map(NAME, READ, NUMBER), DONE)).isEqualTo(MOVED);
        RegionRecord closed = REGION.granted(SELF, Permissions.of(Permission.WRITE));
        assertThat(answer(mapper.map(NAME, READ, NUMBER), new RegionAnswer.Found(closed)))
                .isEqualTo(refused(RegionFailure.NOT_PERMITTED, "node-1 may not use " + NAME + " for " + READ));
    }

    @Test
    void shouldAskEverybody_whenTheKeeperOfTheNameIsAway() {
        Reaction search = answer(mapper.map(NAME, READ, NUMBER), AWAY);
        assertThat(effects(search))
                .containsExactlyElementsOf(NAMES.nodes().stream()
                        .map(node -> call(node, new RegionRequest.Find(NAME)))
                        .toList());
        RegionRecord newest = REGION.renewed();
        Reaction found = answer(search, new RegionAnswer.Found(newest), AWAY, new RegionAnswer.Found(REGION));
        assertThat(answer(found, keys(SECOND), keys(FIRST, THIRD)))
                .isEqualTo(new RegionAnswer.Mapped(newest, List.of(SECOND, FIRST, THIRD)));

        RegionAnswer none = refused(RegionFailure.NO_SUCH_REGION);
        assertThat(answer(search, none, AWAY, none))
                .isEqualTo(refused(RegionFailure.NODE_UNREACHABLE, "node-2 keeps the name " + NAME));
    }

    @Test
    void shouldSayThatItWasGivenUp_whenItIsUnmappedWhileItIsMapped() {
        Reaction open = open();
        assertThat(mapper.reopen(NUMBER, READ, OTHER)).isEqualTo(GIVEN_UP);
        assertThat(mapper.unmap(NUMBER)).isEqualTo(DONE);
        assertThat(answer(open, keys(SECOND), keys(FIRST, THIRD))).isEqualTo(GIVEN_UP);
    }

    @Test
    void shouldTakeNoKey_whenItIsTakenAwayWhileItIsMapped() {
        Reaction open = open();
        assertThat(mapper.revoke(NUMBER, RegionFailure.FREED)).isEqualTo(DONE);
        assertGivenUp(
                answer(open, keys(SECOND), keys(FIRST, THIRD)),
                refused(RegionFailure.FREED, "it was taken away while it was mapped"));
    }

    @Test
    void shouldDrainAndClose_whenItIsUnmapped() {
        mapped();
        Reaction drain = mapper.unmap(NUMBER);
        assertThat(effects(drain)).containsExactly(new Action.Drain(NUMBER, RegionFailure.UNMAPPED));
        assertGivenUp(answer(drain, DONE), DONE);
        assertThat(mapper.unmap(NUMBER)).isEqualTo(DONE);
    }

    @Test
    void shouldAnswerAfterTheLastOperation_whenItIsTakenAway() {
        mapped();
        Reaction drain = mapper.revoke(NUMBER, RegionFailure.REVOKED);
        assertThat(effects(drain)).containsExactly(new Action.Drain(NUMBER, RegionFailure.REVOKED));
        RegionAnswer late = refused(RegionFailure.TIMED_OUT);
        assertThat(answer(drain, late)).isEqualTo(late);
        assertThat(answer(mapper.reopen(NUMBER, READ, OTHER), keys(FIRST, THIRD)))
                .isEqualTo(refused(RegionFailure.REVOKED, "the handle was taken away"));
        assertThat(mapper.revoke(NUMBER + 1, RegionFailure.REVOKED)).isEqualTo(DONE);
    }

    @Test
    void shouldHaveTheKeysOfOneHolder_whenItIsOpenedAnew() {
        assertThat(mapper.reopen(NUMBER, READ, OTHER)).isEqualTo(GIVEN_UP);
        mapped();
        Reaction again = mapper.reopen(NUMBER, READ, OTHER);
        assertThat(effects(again)).containsExactly(call(OTHER, new RegionRequest.Open(7, NUMBER, READ)));
        assertThat(answer(again, keys(THIRD, FIRST))).isEqualTo(keys(THIRD, FIRST));
        assertThat(answer(again, keys(THIRD))).isEqualTo(MOVED);
        assertThat(answer(again, AWAY)).isEqualTo(AWAY);
    }

    @Test
    void shouldAskTheKeeperWhereItIs_whenAHolderDoesNotHaveItsParts() {
        mapped();
        RegionAnswer lost = refused(RegionFailure.LOST);
        Reaction asked = answer(mapper.reopen(NUMBER, READ, OTHER), lost);
        assertThat(effects(asked)).containsExactly(call(KEEPER, new RegionRequest.LookUp(NAME)));

        assertThat(answer(asked, found(REGION.renewed()))).isEqualTo(lost);
        assertThat(answer(asked, found(REGION.moved(OTHER, SELF)))).isEqualTo(MOVED);
        RegionRecord other = new RegionRecord(NAME, 8, 1, REGION.shape(), REGION.placement(), REGION.rights());
        assertThat(answer(asked, found(other))).isEqualTo(MOVED);
        assertThat(answer(asked, refused(RegionFailure.NO_SUCH_REGION)))
                .isEqualTo(refused(RegionFailure.FREED, "there is no region " + NAME + " any more"));
        assertThat(answer(asked, AWAY)).isEqualTo(AWAY);
    }

    /** Every holder is told to close it, and nothing of it is left. */
    private void assertGivenUp(Reaction step, RegionAnswer end) {
        assertThat(effects(step))
                .containsExactly(
                        call(KEEPER, new RegionRequest.Close(7, NUMBER)),
                        call(OTHER, new RegionRequest.Close(7, NUMBER)));
        assertThat(answer(step, DONE, AWAY)).isEqualTo(end);
        assertThat(mapper.reopen(NUMBER, READ, OTHER)).isEqualTo(GIVEN_UP);
    }

    private Reaction open() {
        Reaction look = mapper.map(NAME, READ, NUMBER);
        assertThat(effects(look)).containsExactly(call(KEEPER, new RegionRequest.LookUp(NAME)));
        Reaction open = answer(look, found(REGION));
        assertThat(effects(open))
                .containsExactly(
                        call(KEEPER, new RegionRequest.Open(7, NUMBER, READ)),
                        call(OTHER, new RegionRequest.Open(7, NUMBER, READ)));
        return open;
    }

    private Reaction mapped() {
        return answer(open(), keys(SECOND), keys(FIRST, THIRD));
    }

    private static RegionAnswer found(RegionRecord region) {
        return new RegionAnswer.Found(region);
    }

    private static RegionAnswer keys(PartKey... keys) {
        return new RegionAnswer.Keys(List.of(keys));
    }
}
