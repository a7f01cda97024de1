package dev.retier.undertow.follow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What changes when a file is replaced: cheaper to look at than its content. */
record FileStamp(@Nullable Object fileKey, FileTime modified, long lengthBytes) {
    /** Empty when the file cannot be looked at. */
    static Optional<FileStamp> of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new FileStamp(attributes.fileKey(), attributes.lastModifiedTime(), attributes.size()));
        } catch (IOException e) {
            return Optional.empty(); // reading it will fail as well, and that failure is reported
        }
    }
}
