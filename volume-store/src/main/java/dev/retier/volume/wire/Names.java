package dev.retier.volume.wire;

import dev.retier.volume.VolumeName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a request is about that names more than one: names with a space between two. Stateless. */
public final class Names {
    private static final int MOST = 3;

    private Names() {}

    /** As they are sent. */
    public static String text(VolumeName... names) {
        return String.join(" ", List.of(names).stream().map(VolumeName::value).toList());
    }

    /** So many of them; empty if that is not what {@code data} is. */
    public static Optional<List<VolumeName>> parse(ByteBuffer data, int count) {
        if (data.remaining() > MOST * (VolumeName.MAX_LENGTH + 1)) {
            return Optional.empty();
        }
        String text = StandardCharsets.US_ASCII.decode(data.duplicate()).toString();
        List<VolumeName> found = new ArrayList<>();
        for (String name : text.split(" ", -1)) {
            VolumeName.parse(name).ifPresent(found::add);
        }
        boolean areAll = found.size() == count && text.split(" ", -1).length == count;
        return areAll ? Optional.of(found) : Optional.empty();
    }
}
