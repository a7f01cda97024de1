package dev.retier.volume.gateway;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whose a gateway's socket is: that user may open it, all of the group if there is one, and nobody else but root.
 *
 * @param text as it was written
 * @param user whose it is; null for who makes it
 * @param group whose it is; null for nobody's but the user's
 */
public record SocketOwner(
        String text, @Nullable UserPrincipal user, @Nullable GroupPrincipal group) {
    /** Who makes it. */
    public static final SocketOwner SELF = new SocketOwner("", null, null);

    private static final Set<PosixFilePermission> USERS = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> GROUPS = PosixFilePermissions.fromString("rw-rw----");

    /**
     * Whom {@code USER[:GROUP]} names, by names or numbers.
     *
     * @throws IllegalArgumentException if there are none of these names on this machine; the message says which
     */
    public static SocketOwner parse(String text) {
        int colon = text.indexOf(':');
        String user = colon < 0 ? text : text.substring(0, colon);
        String group = text.substring(colon + 1);
        if (user.isEmpty() || group.isEmpty()) {
            throw new IllegalArgumentException("\"" + text + "\" names no owner; write USER or USER:GROUP");
        }
        UserPrincipalLookupService names = FileSystems.getDefault().getUserPrincipalLookupService();
        return new SocketOwner(
                text,
                named("user", user, names::lookupPrincipalByName),
                colon < 0 ? null : named("group", group, names::lookupPrincipalByGroupName));
    }

    private interface Names<T> {
        T named(String name) throws IOException;
    }

    private static <T> T named(String kind, String name, Names<T> names) {
        try {
            return names.named(name);
        } catch (UserPrincipalNotFoundException unknown) {
            throw new IllegalArgumentException(
                    "there is no " + kind + " " + name + " on this machine: name one of /etc/"
                            + (kind.equals("user") ? "passwd" : "group"),
                    unknown);
        } catch (IOException failed) {
            throw new IllegalArgumentException(kind + " " + name + " cannot be looked up: " + failed, failed);
        }
    }

    /** Gives a socket that only its maker can reach yet to them. */
    void take(Path socket) throws IOException {
        PosixFileAttributeView file = Files.getFileAttributeView(socket, PosixFileAttributeView.class);
        file.setPermissions(group == null ? USERS : GROUPS);
        try {
            if (group != null) {
                file.setGroup(group);
            }
            if (user != null && !user.equals(file.getOwner())) {
                file.setOwner(user);
            }
        } catch (IOException refused) {
            throw new IOException(
                    "the socket cannot be given to " + text + " (" + refused.getMessage()
                            + "): only root gives files to other users, and others only to groups that they are in; run"
                            + " it as root, or as that user",
                    refused);
        }
    }
}
