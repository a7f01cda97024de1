package dev.retier.fabric.directory;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A set of {@link Permission}s.
 *
 * @param bits 1 for read, 2 for write, 4 for atomic, 8 for admin
 */
public record Permissions(int bits) {
    /** Nothing is allowed. */
    public static final Permissions NONE = new Permissions(0);
    /** All of it. */
    public static final Permissions ALL = of(Permission.values());

    /** Refuses unknown bits with {@link IllegalArgumentException}. */
    public Permissions {
        if (bits >>> Permission.values().length != 0) {
            throw new IllegalArgumentException("permissions 0x" + Integer.toHexString(bits) + " have unknown bits");
        }
    }

    /** The set of {@code permissions}. */
    public static Permissions of(Permission... permissions) {
        return new Permissions(
                Arrays.stream(permissions).mapToInt(Permission::bit).reduce(0, (one, more) -> one | more));
    }

    /** Whether {@code permission} is among them. */
    public boolean allow(Permission permission) {
        return (bits & permission.bit()) != 0;
    }

    /** Whether all of {@code wanted} are among them. */
    public boolean allow(Permissions wanted) {
        return (bits & wanted.bits) == wanted.bits;
    }

    @Override
    public String toString() {
        return Arrays.stream(Permission.values())
                .filter(this::allow)
                .map(Permission::name)
                .collect(Collectors.joining("+", "[", "]"));
    }
}
