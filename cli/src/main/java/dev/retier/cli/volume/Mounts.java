package dev.retier.cli.volume;

import dev.retier.cli.CommandFailure;
import dev.retier.cli.ExitCode;
import dev.retier.cli.Shell;
import dev.retier.volume.VolumeName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a mounted volume leaves on its machine, in a folder of its own, so that a crash can be undone: NBD's socket, the
 * volume as a file by FUSE, the loop device over that, and the folder on which its file system is mounted.
 */
final class Mounts {
    private static final Path HOME = Path.of("/run/retier-volumes");
    private static final String PROCESS = "process";
    private static final String FOLDER = "folder";
    private static final String SERVER = "server";
    private static final String FAILURE = "failure";
    /** Fields 3 and 22 of proc_pid_stat(5), of which the second is the name. */
    private static final int STATE_BEHIND_NAME = 0;

    private static final int START_BEHIND_NAME = 19;
    /** Ended; whoever started it has not asked how. */
    private static final String ZOMBIE = "Z";

    /** What waits for the server may take that long; after {@code --lost-after} the kernel hears of an error. */
    static final Duration LONG = Duration.ofMinutes(10);

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final Logger LOG = LoggerFactory.getLogger(Mounts.class);

    private final Path home;

    /** What is in that folder. */
    Mounts(Path home) {
        this.home = home;
    }

    /** Of that volume. */
    static Mounts of(VolumeName name) {
        return new Mounts(HOME.resolve(name.value()));
    }

    /** Of the volume that is mounted on {@code folder}, or was before a crash. */
    static Optional<Mounts> on(Path folder) throws IOException {
        return on(HOME, folder);
    }

    /** Of several in {@code homes} the one whose process lives, or else one that has crashed, and has left a mount. */
    static Optional<Mounts> on(Path homes, Path folder) throws IOException {
        if (!Files.isDirectory(homes)) {
            return Optional.empty();
        }
        String wanted = real(folder);
        try (Stream<Path> all = Files.list(homes)) {
            return all.map(Mounts::new)
                    .filter(one -> one.text(FOLDER).equals(Optional.of(wanted)))
                    .max(Comparator.<Mounts, Boolean>comparing(
                                    one -> one.process().isPresent())
                            .thenComparing(Mounts::isLeft));
        }
    }

    Path socket() {
        return home.resolve("nbd.sock");
    }

    /** Where the volume is a file. */
    Path file() {
        return fuse().resolve("disk");
    }

    /** What nbdfuse says. */
    Path log() {
        return home.resolve("nbdfuse.log");
    }

    Path fuse() {
        return home.resolve("fuse");
    }

    /** Whatever links lead to it. */
    private static String real(Path folder) {
        try {
            return folder.toRealPath().toString();
        } catch (IOException gone) {
            return folder.toAbsolutePath().normalize().toString();
        }
    }

    /**
     * Notes that this process mounts it, of {@code server}, on {@code folder}; refuses while another one does, or has
     * another server's volume of that name, or another volume there.
     */
    void begin(String server, Path folder) throws IOException, InterruptedException {
        try (FileChannel file = lockFile();
                FileLock _ = file.lock()) {
            Optional<ProcessHandle> other = process();
            if (other.isPresent()) {
                throw new CommandFailure(ExitCode.REFUSED, heldBy(other.get(), server));
            }
            Optional<Mounts> there =
                    on(homes(), folder).filter(one -> one.process().isPresent());
            if (there.isPresent()) {
                throw new CommandFailure(
                        ExitCode.REFUSED, there.get().home.getFileName() + " is mounted there: " + folder);
            }
            release();
            delete(Set.of());
            MountNeeds.requireFolder(folder);
            note(server, folder);
        }
    }

    private Path homes() {
        return Objects.requireNonNull(home.getParent());
    }

    /** Whoever has its lock begins, or takes away what there is, alone on this machine. */
    private FileChannel lockFile() throws IOException {
        Files.createDirectories(homes(), PRIVATE);
        return FileChannel.open(homes().resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private void note(String server, Path folder) throws IOException {
        Files.createDirectories(fuse(), PRIVATE);
        Files.writeString(home.resolve(FOLDER), real(folder), StandardCharsets.UTF_8);
        Files.writeString(home.resolve(SERVER), server, StandardCharsets.UTF_8);
        String me = me(ProcessHandle.current()) + "\n"; // a line, as `read` of a shell takes nothing else for one
        Files.writeString(home.resolve(PROCESS), me, StandardCharsets.US_ASCII);
    }

    /** Takes away all that this process has mounted; {@code word} is left for who unmounts it, if there is any. */
    void end(Optional<String> word) throws IOException, InterruptedException {
        release();
        try (FileChannel file = lockFile();
                FileLock _ = file.lock()) {
            if (word.isPresent()) {
                Files.writeString(home.resolve(FAILURE), word.get(), StandardCharsets.UTF_8);
            }
            delete(word.isPresent() ? Set.of(FAILURE, FOLDER) : Set.of());
        }
    }

    /** What a mount has left that is over. */
    record Left(boolean hasCrashed, Optional<String> word) {}

    /**
     * Takes away what the mount has left whose process has ended.
     *
     * @throws CommandFailure if it was mounted again meanwhile, as by a unit
     */
    Left clear() throws IOException, InterruptedException {
        try (FileChannel file = lockFile();
                FileLock _ = file.lock()) {
            Optional<ProcessHandle> next = process();
            if (next.isPresent()) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        "it was unmounted, and process " + next.get().pid() + " has mounted it again: a unit?");
            }
            Left left = new Left(isLeft(), text(FAILURE));
            release();
            delete(Set.of());
            return left;
        }
    }

    /** Whether a process has mounted it, and has not ended that. */
    private boolean isLeft() {
        return text(PROCESS).isPresent();
    }

    private String heldBy(ProcessHandle process, String server) {
        String where = text(FOLDER).orElse("?");
        String theirs = text(SERVER).orElse(server);
        if (theirs.equals(server)) {
            return "process " + process.pid() + " has it mounted on " + where + ": `retier volume unmount` that";
        }
        return "process " + process.pid() + " has a volume of that name of " + theirs + " mounted on " + where
                + ", and this one is of " + server + ": a machine mounts one of a name; mount this one on another"
                + " machine, or a clone of it that has another name";
    }

    /** A number may come again, one with its start does not: in ticks since the boot, as the clock may be set. */
    private static String me(ProcessHandle process) {
        try {
            String stat = Files.readString(
                    Path.of("/proc", Long.toString(process.pid()), "stat"), StandardCharsets.ISO_8859_1);
            String[] behindItsName = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean hasEnded = behindItsName[STATE_BEHIND_NAME].equals(ZOMBIE);
            return hasEnded ? "" : process.pid() + " " + behindItsName[START_BEHIND_NAME];
        } catch (IOException gone) {
            return "";
        }
    }

    /** Who has it mounted, if that process lives. */
    Optional<ProcessHandle> process() {
        return text(PROCESS)
                .filter(text -> text.matches("\\d+ .*"))
                .flatMap(text -> ProcessHandle.of(Long.parseLong(text.substring(0, text.indexOf(' '))))
                        .filter(found -> me(found).equals(text)));
    }

    /** The folder on which it is mounted on this machine. */
    Optional<Path> mounted() {
        return process().flatMap(_ -> text(FOLDER)).map(Path::of);
    }

    private Optional<String> text(String file) {
        try {
            return Optional.of(
                    Files.readString(home.resolve(file), StandardCharsets.UTF_8).strip());
        } catch (IOException none) {
            return Optional.empty();
        }
    }

    /** Who mounts it is known to the last, so that nobody else begins meanwhile. */
    private void delete(Set<String> kept) throws IOException {
        if (!Files.isDirectory(home)) {
            return;
        }
        Path process = home.resolve(PROCESS);
        try (Stream<Path> all = Files.walk(home)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                boolean isKept = kept.contains(String.valueOf(each.getFileName())) || each.equals(process);
                if (!isKept && !each.equals(home)) {
                    Files.deleteIfExists(each);
                }
            }
        }
        Files.deleteIfExists(process);
        if (kept.isEmpty()) {
            Files.deleteIfExists(home);
        }
    }

    /** Takes away all but the notes, in order; what is in use is taken away once it is not. */
    void release() throws InterruptedException {
        Optional<String> folder = text(FOLDER);
        for (String device : devices()) {
            if (folder.isPresent() && !mountedFrom(device).isEmpty()) {
                unmountFolder(folder.get());
            }
            Shell.run(List.of("losetup", "--detach", device));
        }
        if (Shell.ended(List.of("mountpoint", "-q", fuse().toString())).code() == 0
                || Shell.ended(List.of("stat", fuse().toString())).output().contains("not connected")) {
            unmount(fuse().toString());
        }
    }

    /** What programs have written is on the server's disk then, also when they go on with it. */
    private static void unmountFolder(String folder) throws InterruptedException {
        if (Shell.ended(List.of("umount", folder), LONG).code() != 0) {
            List<String> users = FolderUsers.of(Path.of(folder));
            var _ = Shell.ended(List.of("sync", "--file-system", folder), LONG);
            Shell.run(List.of("umount", "--lazy", folder));
            LOG.warn("{} was in use by {}: what they write from now on is lost", folder, users);
        }
    }

    /** What is still in use goes when nobody uses it any more. */
    private static void unmount(String what) throws InterruptedException {
        if (Shell.ended(List.of("umount", what)).code() != 0) {
            Shell.run(List.of("umount", "--lazy", what));
        }
    }

    private List<String> devices() throws InterruptedException {
        return Shell.run(List.of("losetup", "--list", "--noheadings", "--raw", "--output", "NAME,BACK-FILE"))
                .lines()
                .filter(line -> line.endsWith(" " + file()))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
    }

    private static List<String> mountedFrom(String device) throws InterruptedException {
        return Shell.ended(List.of("findmnt", "--noheadings", "--output", "TARGET", "--source", device))
                .output()
                .lines()
                .toList();
    }
}
