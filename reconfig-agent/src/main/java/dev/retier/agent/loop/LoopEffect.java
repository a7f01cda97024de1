package dev.retier.agent.loop;

import dev.retier.agent.command.Answer;
import dev.retier.agent.command.PauseWord;
import dev.retier.agent.move.MoveRecord;
import dev.retier.agent.move.MoverEffect;
import dev.retier.agent.render.RoleFile;
import dev.retier.agent.render.TargetList;
import dev.retier.link.NodeId;
import dev.retier.state.Role;
import dev.retier.state.RoleWord;
import dev.retier.state.SiteId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an agent wants done, in this order; those that are answered name the event. Nothing needs to be awaited before
 * the next is carried out.
 *
 * @param <F> the generated files
 */
public sealed interface LoopEffect<F extends RoleFile> {
    /** Look at all slots: {@code Looked}. */
    record Look<F extends RoleFile>() implements LoopEffect<F> {}

    /** Look at the slots of these nodes alone, which have announced something: {@code Glanced}. */
    record Glance<F extends RoleFile>(Set<NodeId> nodes) implements LoopEffect<F> {}

    /** Ask the servers of these nodes, and of no others, whether they live; the next looks bring what is known. */
    record Probe<F extends RoleFile>(List<NodeId> nodes) implements LoopEffect<F> {}

    /** Try for the move lock of a site: {@code LockTaken}, {@code LockHeld} or {@code LockUnavailable}. */
    record TryLock<F extends RoleFile>(SiteId site) implements LoopEffect<F> {}

    /** Fence the role words that were seen, under the lock of each site: {@code Fenced}. */
    record Fence<F extends RoleFile>(List<Words> sites) implements LoopEffect<F> {
        /** What is fenced under the lock of {@code site}. */
        public record Words(SiteId site, Map<NodeId, RoleWord> seen) {}
    }

    /** Compare and set the role words of the nodes that are to move, all at once: {@code Ordered}. */
    record Order<F extends RoleFile>(List<MoverEffect.Ordering> orders) implements LoopEffect<F> {}

    /** Renew all leases: {@code Renewed}. */
    record Renew<F extends RoleFile>() implements LoopEffect<F> {}

    /** Release all locks; nothing answers. */
    record Release<F extends RoleFile>() implements LoopEffect<F> {}

    /** Compare and set the own role word: {@code WordSet}. */
    record SetWord<F extends RoleFile>(RoleWord expected, RoleWord next) implements LoopEffect<F> {}

    /** Compare and set the own role word, which is {@code bits} and cannot be true; the next look shows it. */
    record Mend<F extends RoleFile>(long bits, RoleWord next) implements LoopEffect<F> {}

    /** Put a phase of the own move on disk: {@code Journalled}. */
    record Append<F extends RoleFile>(MoveRecord entry) implements LoopEffect<F> {}

    /** Hand a file to the own server: {@code Installed}. */
    record Install<F extends RoleFile>(F file) implements LoopEffect<F> {}

    /** Send a request to the own server, which must answer by a file of {@code stamp} or later: {@code Proved}. */
    record Prove<F extends RoleFile>(RoleWord order, Role role, long stamp) implements LoopEffect<F> {}

    /** Tell the other agents that the own slot has changed, so that they look at it; nothing answers. */
    record Announce<F extends RoleFile>() implements LoopEffect<F> {}

    /** Wake the agents of these nodes, whose role words have changed; nothing answers. */
    record Wake<F extends RoleFile>(Set<NodeId> nodes) implements LoopEffect<F> {}

    /**
     * Tell the peers this digest of the configuration from now on; nothing answers. The connections to them are made
     * anew for it, so it is wanted while no move needs them.
     */
    record Declare<F extends RoleFile>(ByteBuffer digest) implements LoopEffect<F> {}

    /**
     * Ask the own server closely for so long: something of it is about to change; nothing answers.
     *
     * @param isForPage whether its figures count, and not only which file it runs
     */
    record Hurry<F extends RoleFile>(long nanos, boolean isForPage) implements LoopEffect<F> {}

    /** Publish this word of operators with each load record from now on; nothing answers. */
    record Publish<F extends RoleFile>(PauseWord word) implements LoopEffect<F> {}

    /** Put pauses on disk: {@code Kept}. */
    record Keep<F extends RoleFile>(long ticket, PauseWord cluster, boolean isPausedHere) implements LoopEffect<F> {}

    /**
     * Put a number on disk above which the number of the next start must be, as terms of move locks have come so far;
     * nothing answers.
     */
    record Outgrow<F extends RoleFile>(long term) implements LoopEffect<F> {}

    /** The edge of a site is to send there; nothing answers. */
    record Post<F extends RoleFile>(TargetList list) implements LoopEffect<F> {}

    /** Compare the file on disk with this one, and tell the operator; nothing answers. */
    record Compare<F extends RoleFile>(long ticket, Role role, F file) implements LoopEffect<F> {}

    /** Tell an operator what became of a command; nothing answers. */
    record Reply<F extends RoleFile>(long ticket, Answer answer) implements LoopEffect<F> {}

    /**
     * Tell an operator what became of a command, and why {@code node} has undone that order, which its own agent knows;
     * nothing answers.
     */
    record Explain<F extends RoleFile>(long ticket, Answer answer, NodeId node, RoleWord order)
            implements LoopEffect<F> {}

    /** Tell whom it concerns; nothing answers. */
    record Tell<F extends RoleFile>(Notice notice) implements LoopEffect<F> {}

    /**
     * Wait: {@code Woken}, after so long or as soon as something is announced. Takes the place of an earlier one.
     *
     * @param nanos from now on; 0: at once
     */
    record Await<F extends RoleFile>(long nanos) implements LoopEffect<F> {}

    /** The agent has nothing more to do; nothing answers, and nothing comes after it. */
    record End<F extends RoleFile>() implements LoopEffect<F> {}
}
