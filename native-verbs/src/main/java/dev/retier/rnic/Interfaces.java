package dev.retier.rnic;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The network interfaces of this machine by their hardware addresses, of which Java tells no long one. Stateless. */
final class Interfaces {
    private static final Path LINUX = Path.of("/sys/class/net");

    private final Path folder;
    private final Addresses addresses;
    private final Local local;

    /** The IP addresses of an interface, as text. */
    @FunctionalInterface
    interface Addresses {
        List<String> of(String name) throws IOException;
    }

    /** What this machine calls an address of its own, with the interface of one of a link; nothing if it is not. */
    @FunctionalInterface
    interface Local {
        List<String> with(InetAddress address) throws IOException;
    }

    /** Those of this machine. */
    Interfaces() {
        this(LINUX, Interfaces::addresses, Interfaces::local);
    }

    /** Those of which {@code folder} has a folder each. */
    Interfaces(Path folder, Addresses addresses, Local local) {
        this.folder = folder;
        this.addresses = addresses;
        this.local = local;
    }

    /** The address as it can be listened at; nothing if no interface has it. */
    List<String> with(InetAddress address) throws IOException {
        return local.with(address);
    }

    /** The IP addresses of those whose hardware address ends so. */
    List<String> endingWith(byte[] hardware) throws IOException {
        String end = HexFormat.ofDelimiter(":").formatHex(hardware);
        try (Stream<Path> all = Files.list(folder)) {
            List<String> found = new ArrayList<>();
            for (Path one : all.sorted().toList()) {
                if (hardwareAddress(one).endsWith(end)) {
                    found.addAll(addresses.of(one.getFileName().toString()));
                }
            }
            return found;
        } catch (NoSuchFileException | NotDirectoryException _) {
            return List.of();
        }
    }

    private static String hardwareAddress(Path of) throws IOException {
        Path file = of.resolve("address");
        return Files.isReadable(file)
                ? Files.readString(file, StandardCharsets.US_ASCII).strip()
                : "";
    }

    private static List<String> local(InetAddress wanted) throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(own -> Arrays.equals(own.getAddress(), wanted.getAddress()))
                .map(InetAddress::getHostAddress)
                .toList();
    }

    private static List<String> addresses(String name) throws IOException {
        NetworkInterface found = NetworkInterface.getByName(name);
        return found == null
                ? List.of()
                : found.inetAddresses().map(InetAddress::getHostAddress).toList();
    }
}
