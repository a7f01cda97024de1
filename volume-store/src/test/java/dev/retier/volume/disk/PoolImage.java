package dev.retier.volume.disk;

import dev.retier.volume.NoSpaceException;
import dev.retier.volume.VolumeName;
import dev.retier.volume.pool.Geometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a volume or a snapshot of a {@link PoolWorld} may hold, and whether it may be there. */
final class PoolImage {
    static final int BLOCKS = 40;
    private static final int UNKNOWN = -1;

    final VolumeName name;
    /** Of which it is a snapshot. */
    final @Nullable PoolImage parent;

    int number;
    /** As far as that is known: whether it is there, as of the last answer. */
    private boolean isThere;

    private boolean isForced;
    private boolean isUnderWay = true;
    /** What a block has, as far as that is known. */
    private final int[] has;
    /** What it may have after a power cut: what it had at the newest flush, and all that it was given since. */
    private final List<Set<Integer>> may = new ArrayList<>();

    interface Change {
        void make() throws IOException;
    }

    /** About to be made. */
    PoolImage(String name, @Nullable PoolImage parent, int[] content) {
        this.name = new VolumeName(name);
        this.parent = parent;
        this.has = content.clone();
        for (int value : content) {
            may.add(new HashSet<>(Set.of(value)));
        }
    }

    int[] content() {
        return has.clone();
    }

    void made(int itsNumber) {
        number = itsNumber;
        isThere = true;
        isUnderWay = false;
        isForced = false;
    }

    void deleting() {
        isUnderWay = true;
    }

    void deleted() {
        isThere = false;
        isUnderWay = false;
        isForced = false;
    }

    /** Nothing came of what was under way. */
    void isAsBefore() {
        isUnderWay = false;
    }

    boolean isThere() {
        return isThere;
    }

    void flushed() {
        isForced = true;
        for (int block = 0; block < BLOCKS; block++) {
            may.set(block, new HashSet<>(Set.of(has[block])));
        }
    }

    /** While it is not answered a block has the old or the new value; with no room it has the old one. */
    void give(int first, int[] given, Change change) throws IOException {
        int[] before = has.clone();
        for (int block = first; block < first + given.length; block++) {
            may.get(block).add(given[block - first]);
            has[block] = UNKNOWN;
        }
        try {
            change.make();
        } catch (NoSpaceException full) {
            System.arraycopy(before, 0, has, 0, BLOCKS);
            throw full;
        }
        System.arraycopy(given, 0, has, first, given.length);
    }

    void forget() {
        Arrays.fill(has, UNKNOWN);
    }

    /** After its pool was opened anew: whether what was promised of its being there holds; for people, what not. */
    Optional<String> found(Pool pool, boolean afterPowerCut) {
        if (afterPowerCut && parent == null) {
            forget();
        }
        boolean isCertain = !isUnderWay && (isForced || !afterPowerCut);
        Optional<Integer> found = parent == null
                ? pool.catalogue().numberOf(name)
                : pool.catalogue().snapshotOf(parent.number, name);
        if (isCertain && found.isPresent() != isThere) {
            return Optional.of(name + " is there: " + found.isPresent());
        }
        isThere = found.isPresent();
        isUnderWay = false;
        found.ifPresent(its -> number = its);
        return Optional.empty();
    }

    /** What was not known is known from here on. */
    void check(Pool pool, List<String> breaches) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(BLOCKS * Geometry.BLOCK_BYTES);
        var _ = pool.read(number, 0, all);
        for (int block = 0; block < BLOCKS; block++) {
            int begin = block * Geometry.BLOCK_BYTES;
            int found = all.getInt(begin);
            for (int at = 0; at < Geometry.BLOCK_BYTES; at += Integer.BYTES) {
                if (all.getInt(begin + at) != found) {
                    breaches.add(name + ": block " + block + " is torn");
                    break;
                }
            }
            int known = has[block];
            if (known == UNKNOWN ? !may.get(block).contains(found) : found != known) {
                breaches.add(name + ": block " + block + " has " + found + ", not " + known + " or one of "
                        + may.get(block));
            }
            has[block] = found;
        }
    }
}
