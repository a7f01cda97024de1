package dev.retier.testsupport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * An authority of a test's own that issues certificates (RFC 5280) with P-256 keys, each in a few milliseconds, so that
 * no file that expires is kept. Safe for any thread.
 */
public final class TestAuthority {
    private static final String ECDSA_WITH_SHA256 = "2a8648ce3d040302";
    private static final String COMMON_NAME = "550403";
    private static final String ALTERNATIVE_NAMES = "551d11";
    private static final String BASIC_CONSTRAINTS = "551d13";
    private static final int EXPLICIT_VERSION = 0xa0;
    private static final int EXPLICIT_EXTENSIONS = 0xa3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;

    private static final AtomicLong SERIAL = new AtomicLong(1);

    private final String name;
    private final KeyPair keys;

    /**
     * What a certificate is to say.
     *
     * @param commonName of the subject; several with slashes between them, the most specific last
     * @param dnsNames subject alternative names; none for a certificate without that extension
     */
    public record Subject(String commonName, List<String> dnsNames, Instant from, Instant until) {
        /** One with the name as its only DNS name, valid from an hour ago for a day. */
        public static Subject of(String name) {
            Instant from = Instant.now().minus(Duration.ofHours(1));
            return new Subject(name, List.of(name), from, from.plus(Duration.ofDays(1)));
        }

        /** This with another span of time. */
        public Subject valid(Instant start, Instant end) {
            return new Subject(commonName, dnsNames, start, end);
        }

        /** This with other DNS names; an address of IPv4 among them is written as such. */
        public Subject withNames(String... names) {
            return new Subject(commonName, List.of(names), from, until);
        }
    }

    /** A new authority. */
    public TestAuthority(String name) {
        this.name = name;
        this.keys = keyPair();
    }

    private static KeyPair keyPair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** Its own certificate, as PEM text: what others are to trust. */
    public String certificate() {
        Subject self = Subject.of(name).withNames();
        byte[] constraints = extension(BASIC_CONSTRAINTS, Der.sequence(Der.truth()));
        return pem("CERTIFICATE", certificate(self, keys.getPublic(), constraints));
    }

    /** Writes its certificate to {@code folder/ca.pem}, in one step, in place of one that may be there. */
    public Path writeTo(Path folder) throws IOException {
        return write(folder.resolve("ca.pem"), certificate());
    }

    /** A new key and its certificate. */
    public Issued issue(Subject subject) {
        return issue(subject, keyPair());
    }

    /** A certificate of a key that the test has made, of whatever kind. */
    public Issued issue(Subject subject, KeyPair fresh) {
        byte[] names = new byte[0];
        if (!subject.dnsNames().isEmpty()) {
            byte[][] each = subject.dnsNames().stream()
                    .map(TestAuthority::alternativeName)
                    .toArray(byte[][]::new);
            names = extension(ALTERNATIVE_NAMES, Der.sequence(each));
        }
        return new Issued(
                pem("CERTIFICATE", certificate(subject, fresh.getPublic(), names)),
                pem("PRIVATE KEY", fresh.getPrivate().getEncoded()));
    }

    /**
     * A key and its certificate, as PEM text.
     *
     * @param key PKCS#8
     */
    public record Issued(String certificate, String key) {
        /** Writes {@code NAME.pem} and {@code NAME.key} (mode 600), each in one step. */
        public PemPair writeTo(Path folder, String name) throws IOException {
            return new PemPair(
                    write(folder.resolve(name + ".pem"), certificate), write(folder.resolve(name + ".key"), key));
        }
    }

    /** Where a certificate and its key are. */
    public record PemPair(Path certificate, Path key) {}

    private static Path write(Path file, String text) throws IOException {
        Path staged = Files.createTempFile(
                file.toAbsolutePath().getParent(),
                "staged",
                ".pem",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(staged, text);
        return Files.move(staged, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] alternativeName(String text) {
        if (text.matches("\\d+\\.\\d+\\.\\d+\\.\\d+")) {
            byte[] address = new byte[4];
            String[] digits = text.split("\\.", -1);
            for (int i = 0; i < address.length; i++) {
                address[i] = (byte) Integer.parseInt(digits[i]);
            }
            return Der.tagged(IP_ADDRESS, address);
        }
        return Der.tagged(DNS_NAME, text.getBytes(StandardCharsets.US_ASCII));
    }

    private byte[] certificate(Subject subject, PublicKey key, byte[] extension) {
        byte[] algorithm = Der.sequence(Der.object(ECDSA_WITH_SHA256));
        byte[] extensions =
                extension.length == 0 ? extension : Der.tagged(EXPLICIT_EXTENSIONS, Der.sequence(extension));
        byte[] body = Der.sequence(
                Der.tagged(EXPLICIT_VERSION, Der.integer(2)),
                Der.integer(SERIAL.getAndIncrement()),
                algorithm,
                distinguishedName(name),
                Der.sequence(Der.time(subject.from()), Der.time(subject.until())),
                distinguishedName(subject.commonName()),
                key.getEncoded(),
                extensions);
        return Der.sequence(body, algorithm, Der.bits(signed(body)));
    }

    private byte[] signed(byte[] body) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(body);
            return signature.sign();
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static byte[] distinguishedName(String common) {
        return Der.sequence(Stream.of(common.split("/", -1))
                .map(part -> Der.set(Der.sequence(Der.object(COMMON_NAME), Der.utf8(part))))
                .toArray(byte[][]::new));
    }

    private static byte[] extension(String object, byte[] value) {
        return Der.sequence(Der.object(object), Der.octets(value));
    }

    private static String pem(String label, byte[] der) {
        Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
        return "-----BEGIN " + label + "-----\n" + lines.encodeToString(der) + "\n-----END " + label + "-----\n";
    }
}
