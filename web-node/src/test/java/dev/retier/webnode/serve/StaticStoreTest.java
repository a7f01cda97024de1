package dev.retier.webnode.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.retier.webnode.core.Answer;
import dev.retier.webnode.serve.StaticStore.Lookup;
import dev.retier.webnode.upstream.FetchOutcome;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StaticStoreTest {
    private static final String KEY = "/static/o1";
    private static final FetchOutcome FRESH = new FetchOutcome.Answered(
            new Answer(200, "text/plain", null, "max-age=60", null, new byte[] {1}), "node-2");

    private final StaticStore store = new StaticStore(1000);

    @Test
    void shouldTellThoseWhoWait_whenTheRequestThatFetchesFails() {
        Lookup.Lead lead = lead();
        CompletableFuture<FetchOutcome> waiting = join();

        store.isOver(lead);

        assertThat(waiting)
                .isCompletedWithValue(new FetchOutcome.Unanswered("the request that was to fetch it has failed"));
        assertThat(store.lookup(KEY, 0)).as("the next begins anew").isInstanceOf(Lookup.Lead.class);
    }

    @Test
    void shouldKeepTheAnswer_whenTheRequestEndsAfterItsFetch() {
        Lookup.Lead lead = lead();
        CompletableFuture<FetchOutcome> waiting = join();

        store.fetched(lead, FRESH, 0);
        store.isOver(lead);

        assertThat(waiting).isCompletedWithValue(FRESH);
        assertThat(store.lookup(KEY, 0)).isInstanceOf(Lookup.Hit.class);
    }

    @Test
    void shouldLeaveTheNextFetchAlone_whenAnOldRequestEndsLate() {
        Lookup.Lead old = lead();
        store.fetched(old, new FetchOutcome.Unanswered("no app"), 0);
        Lookup.Lead next = lead();
        CompletableFuture<FetchOutcome> waiting = join();

        store.isOver(old);

        assertThat(waiting).isNotDone();
        assertThat(join()).as("who comes now waits for the same fetch").isSameAs(waiting);
        store.fetched(next, FRESH, 0);
        assertThat(waiting).isCompletedWithValue(FRESH);
    }

    private Lookup.Lead lead() {
        Lookup found = store.lookup(KEY, 0);
        assertThat(found).isInstanceOf(Lookup.Lead.class);
        return (Lookup.Lead) found;
    }

    private CompletableFuture<FetchOutcome> join() {
        Lookup found = store.lookup(KEY, 0);
        assertThat(found).isInstanceOf(Lookup.Join.class);
        return ((Lookup.Join) found).fetch();
    }
}
