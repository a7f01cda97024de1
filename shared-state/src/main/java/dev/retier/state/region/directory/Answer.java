package dev.retier.state.region.directory;

import dev.retier.state.region.RegionFailure;
import java.util.List;

/** What came of a {@link Request} or {@link Effect}. */
public sealed interface Answer {
    /** It is done. */
    record Done() implements Answer {}

    /** The region as it is now. */
    record Found(RegionRecord region) implements Answer {}

    /** How to reach the parts on the answering node. */
    record Keys(List<ExtentKey> keys) implements Answer {
        /** Copies the list. */
        public Keys {
            keys = List.copyOf(keys);
        }
    }

    /** Not done. */
    record Refused(RegionFailure failure, String detail) implements Answer {}

    /** Whether this is a refusal for {@code failure}. */
    default boolean isRefusal(RegionFailure failure) {
        return this instanceof Refused refused && refused.failure() == failure;
    }

    /** The handle is mapped; only {@link Mapper} gives it, and it does not travel. */
    record Mapped(RegionRecord region, List<ExtentKey> keys) implements Answer {
        /** Copies the list. */
        public Mapped {
            keys = List.copyOf(keys);
        }
    }
}
