package dev.retier.load.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.retier.load.LoadException;
import dev.retier.load.target.TargetFollower.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetFollowerTest {
    private static final Target A = new Target("127.0.0.1", 18001);
    private static final Target B = new Target("127.0.0.1", 18002);

    private final TargetFollower follower = new TargetFollower("shop");

    @Test
    void shouldTakeTheFirstAndReplaceByNewerAndEqual_whenListsArrive() {
        assertThat(follower.offer(list(12, A))).isEqualTo(Verdict.CHANGED);
        assertThat(follower.offer(list(12, A))).isEqualTo(Verdict.SAME);
        assertThat(follower.offer(list(12, A, B))).isEqualTo(Verdict.CHANGED);
        assertThat(follower.offer(list(13, A, B))).isEqualTo(Verdict.SAME);

        assertThat(follower.current()).isEqualTo(list(13, A, B));
        assertThat(follower.report()).isEqualTo(new FollowReport(13, 2, 0, 0, 0));
    }

    @Test
    void shouldIgnoreAndCount_whenAListIsOlderOrEmptyOrOfAnotherSite() {
        follower.offer(list(12, A));

        assertThat(follower.offer(list(11, B))).isEqualTo(Verdict.IGNORED_OLDER);
        assertThat(follower.offer(list(13))).isEqualTo(Verdict.IGNORED_EMPTY);
        assertThat(follower.offer(new TargetList(13, "news", List.of(B)))).isEqualTo(Verdict.IGNORED_OTHER_SITE);
        assertThat(follower.offer(new TargetList(12, "", List.of(B)))).isEqualTo(Verdict.CHANGED);

        assertThat(follower.report()).isEqualTo(new FollowReport(12, 2, 1, 1, 1));
    }

    @Test
    void shouldRemoveRepetitions_whenAListNamesATargetTwice() {
        assertThat(list(1, A, B, A).targets()).containsExactly(A, B);
    }

    @Test
    void shouldReadTheAgentsAnswer_whenItIsSound() {
        TargetList list = TargetListJson.parse(
                "test", "{\"epoch\": 12, \"site\": \"shop\", \"targets\": [\"127.0.0.1:18001\", \"127.0.0.1:18002\"]}");

        assertThat(list).isEqualTo(list(12, A, B));
        assertThat(TargetListJson.parse("test", "{\"targets\":[\"[::1]:80\"]}"))
                .isEqualTo(new TargetList(0, "", List.of(new Target("::1", 80))));
    }

    @Test
    void shouldNameTheOriginAndTheForm_whenTheTextIsNoList() {
        String tooMany = "{\"targets\":[" + "\"a:1\",".repeat(3) + "\"b\"]}";
        for (String text :
                List.of("", "{", "[]", "{\"targets\":7}", "{\"targets\":[7]}", tooMany, "{\"targets\":[\"a:0\"]}")) {
            assertThatThrownBy(() -> TargetListJson.parse("http://x/", text))
                    .isInstanceOf(LoadException.class)
                    .satisfies(e -> assertThat(e.getMessage())
                            .startsWith("targets from http://x/: ")
                            .contains("expected {\"epoch\"")
                            .doesNotContain("\n"));
        }
    }

    @Test
    void shouldRefuseWithAReason_whenATargetIsNoHostAndPort() {
        for (String text : List.of("", "host", ":80", "host:", "host:x", "host:65536", "host:-1", "a b:1", "a/b:1")) {
            assertThatThrownBy(() -> Target.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(Target.parse("[::1]:80")).hasToString("[::1]:80");
        assertThat(Target.parse("web-1.example:8080")).isEqualTo(new Target("web-1.example", 8080));
    }

    private static TargetList list(long epoch, Target... targets) {
        return new TargetList(epoch, "shop", List.of(targets));
    }
}
