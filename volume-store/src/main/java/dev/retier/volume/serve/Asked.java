package dev.retier.volume.serve;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.disk.CorruptBlockException;
import dev.retier.volume.disk.FencedException;
import dev.retier.volume.wire.Answer;
import dev.retier.volume.wire.Request;
import dev.retier.volume.wire.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request to be answered. */
record Asked(ServedClient client, int slot, Request request, Tally tally, long sinceNanos) {
    private static final Logger LOG = LoggerFactory.getLogger(Asked.class);

    /** What may fail. */
    interface Step {
        void run() throws IOException, InterruptedException;
    }

    void done(Answer answer, int dataBytes) {
        count(Status.DONE, dataBytes);
        client.answer(slot, answer, dataBytes);
    }

    void done(int dataBytes) {
        done(Answer.of(Status.DONE, request.sequence()), dataBytes);
    }

    void refuse(Status status, String why) {
        refuse(Answer.of(status, request.sequence()), why);
    }

    private void refuse(Answer answer, String why) {
        count(answer.status(), 0);
        client.refuse(slot, answer, why);
    }

    private void count(Status status, int dataBytes) {
        tally.answered(request, status, dataBytes, System.nanoTime() - sinceNanos);
    }

    /** Where the data of the answer goes. */
    ByteBuffer room() {
        return client.room(slot);
    }

    /** Whether {@code step} did not fail; if it did, that is the answer. */
    boolean answering(Step step) {
        try {
            step.run();
            return true;
        } catch (Refusal refusal) {
            refuse(refusal.status(), String.valueOf(refusal.getMessage()));
        } catch (IllegalArgumentException impossible) {
            refuse(Status.INVALID, String.valueOf(impossible.getMessage()));
        } catch (CorruptBlockException rotten) {
            tally.damaged(request.volume(), rotten.block());
            Answer answer = new Answer(Status.IO_ERROR, request.sequence(), 0, 0, Answer.ONE_BLOCK);
            refuse(answer, String.valueOf(rotten.getMessage()));
        } catch (FencedException taken) {
            refuse(Status.FENCED, String.valueOf(taken.getMessage()));
        } catch (NoSpaceException full) {
            refuse(Status.NO_SPACE, String.valueOf(full.getMessage()));
        } catch (IOException failed) {
            refuse(Status.IO_ERROR, String.valueOf(failed.getMessage()));
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            refuse(Status.BUSY, "the server ends");
        } catch (RuntimeException | Error fault) {
            LOG.error("{} could not be done", request, fault);
            refuse(Status.IO_ERROR, fault.toString());
        }
        return false;
    }
}
