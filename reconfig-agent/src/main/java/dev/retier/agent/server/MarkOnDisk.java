package dev.retier.agent.server;

import dev.retier.agent.render.Rendering.Mark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What a generated file says that it is, as it lies on the disk. Stateless. */
public final class MarkOnDisk {
    private MarkOnDisk() {}

    /** The mark; empty if there is no such file, or it was not generated or cannot be read: writing it will say why. */
    public static Optional<Mark> of(Path file) {
        try {
            return Mark.ofFile(Files.readString(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
