package dev.retier.agent.apply;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Replaces a file so that a reader, and a crash at any moment, finds the old content or the new, never a mixture. */
public final class AtomicFile {
    /** Where others must not be able to open it before its owner is known. */
    private static final FileAttribute<Set<PosixFilePermission>> OWN =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    /** As many as Linux follows (path_resolution(7)). */
    private static final int MAX_LINKS = 40;

    private AtomicFile() {}

    /**
     * Writes the content beside it, forces it to disk, renames it over {@code file}, and forces the
     * directory. Creates the directory if it is missing. The file keeps its mode and, where this process may give it,
     * its owner and group. Where it is a symbolic link, the link stays and what it leads to is replaced.
     *
     * @throws IOException when any step fails; {@code file} is then as it was, unless it was the last step, when the
     *     new content may be lost in a crash of the machine
     */
    public static void replace(Path file, String content) throws IOException {
        put(file, StandardCharsets.UTF_8.encode(content), target(file));
    }

    /**
     * The same with these bytes.
     *
     * @throws IOException as the other does
     */
    public static void replace(Path file, byte[] content) throws IOException {
        put(file, ByteBuffer.wrap(content), target(file));
    }

    /**
     * Puts a copy of a file in the place of another in the same way, but with the mode and owner of {@code from}.
     *
     * @throws IOException as {@link #replace} does
     */
    public static void copy(Path from, Path to) throws IOException {
        put(to, ByteBuffer.wrap(Files.readAllBytes(from)), from);
    }

    private static void put(Path file, ByteBuffer content, Path like) throws IOException {
        Files.createDirectories(parent(file));
        Path target = target(file);
        // Not the name of a file that is staged for a checker: who examines a server stages and takes away its own.
        Path next = parent(target).resolve("." + target.getFileName() + ".new");
        try {
            write(next, content, like);
            Files.move(next, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(next);
        }
        forceDirectory(parent(target));
    }

    /**
     * The folder of a file.
     *
     * @throws IOException when it is no name of a file
     */
    public static Path parent(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null) {
            throw new IOException(file + " is no file name");
        }
        return directory;
    }

    /** The folder in which {@code file}, or what it leads to, is replaced. */
    static Path folder(Path file) throws IOException {
        return parent(target(file));
    }

    /** What {@code file} is, or leads to by symbolic links. */
    static Path target(Path file) throws IOException {
        Path target = file.toAbsolutePath();
        for (int links = 0; Files.isSymbolicLink(target); links++) {
            if (links == MAX_LINKS) {
                throw new IOException(file + " leads through more than " + MAX_LINKS + " symbolic links");
            }
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }

    /**
     * Writes a new file in the place of whatever was there, a link as well, which is not followed, and forces it to
     * disk; a crash may leave any part of it.
     *
     * @param like a file whose mode, and where possible owner and group, it gets; when there is none, it gets what is
     *     usual
     * @throws IOException when it cannot be written, or somebody puts another in its place meanwhile
     */
    public static void write(Path file, String content, Path like) throws IOException {
        write(file, StandardCharsets.UTF_8.encode(content), like);
    }

    private static void write(Path file, ByteBuffer bytes, Path like) throws IOException {
        Files.deleteIfExists(file);
        boolean isLike = Files.exists(like);
        try (FileChannel channel =
                isLike ? FileChannel.open(file, NEW, OWN) : FileChannel.open(file, NEW, new FileAttribute<?>[0])) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            if (isLike) {
                liken(file, Files.readAttributes(like, PosixFileAttributes.class));
            }
            channel.force(true);
        }
    }

    /** The mode comes last: nobody gets what it grants before the file is given to its owner. */
    private static void liken(Path file, PosixFileAttributes wanted) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        PosixFileAttributes given = view.readAttributes();
        if (!given.group().equals(wanted.group())) {
            ifAllowed(() -> view.setGroup(wanted.group()));
        }
        if (!given.owner().equals(wanted.owner())) {
            ifAllowed(() -> view.setOwner(wanted.owner()));
        }
        view.setPermissions(wanted.permissions());
    }

    private interface Change {
        void make() throws IOException;
    }

    private static void ifAllowed(Change change) {
        try {
            change.make();
        } catch (IOException e) {
            // Only root may give a file away: it stays this process's own, as any that it makes.
            return;
        }
    }

    /** Makes a rename or a new file in {@code directory} survive a crash of the machine. */
    public static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
