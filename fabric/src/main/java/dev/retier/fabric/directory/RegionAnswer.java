package dev.retier.fabric.directory;

import java.util.List;
import java.util.Optional;

/** What came of a {@link RegionRequest} or {@link Action}. */
public sealed interface RegionAnswer extends Reaction {
    /** It is done. */
    record Done() implements RegionAnswer {}

    /** The region as it is now. */
    record Found(RegionRecord region) implements RegionAnswer {}

    /** How to reach the parts on the answering node. */
    record Keys(List<PartKey> keys) implements RegionAnswer {
        /** Copies the list. */
        public Keys {
            keys = List.copyOf(keys);
        }
    }

    /** Not done. */
    record Refused(RegionFailure failure, String detail) implements RegionAnswer {}

    /** The first of {@code answers} that does not say that it is done. */
    static Optional<RegionAnswer> firstUndone(List<RegionAnswer> answers) {
        return answers.stream().filter(answer -> !(answer instanceof Done)).findFirst();
    }

    /** Whether this is a refusal for {@code failure}. */
    default boolean isRefusal(RegionFailure failure) {
        return this instanceof Refused refused && refused.failure() == failure;
    }

    /** The handle is mapped; only {@link Mapper} gives it, and it does not travel. */
    record Mapped(RegionRecord region, List<PartKey> keys) implements RegionAnswer {
        /** Copies the list. */
        public Mapped {
            keys = List.copyOf(keys);
        }
    }
}
