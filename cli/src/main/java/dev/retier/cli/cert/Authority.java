package dev.retier.cli.cert;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One who signs certificates. The JDK reads certificates and has no public way to make one; what it takes is here
 * rather than in a library of 10 MB in the packages. Immutable.
 */
public final class Authority {
    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String SUBJECT_KEY_ID = "2.5.29.14";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String SUBJECT_ALT_NAME = "2.5.29.17";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String AUTHORITY_KEY_ID = "2.5.29.35";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final byte[] SERVER_AUTH = Der.oid("1.3.6.1.5.5.7.3.1");
    private static final byte[] CLIENT_AUTH = Der.oid("1.3.6.1.5.5.7.3.2");
    private static final byte SIGNS_DATA = (byte) 0x80; // bit 0, digitalSignature
    private static final byte SIGNS_CERTIFICATES = 0x06; // bits 5 and 6, keyCertSign and cRLSign
    private static final int VERSION_3 = 2;
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;
    private static final int SERIAL_BITS = 127;
    private static final int KEY_ID_BYTES = 20;
    private static final int HEADER_BYTES = 2;
    private static final int LONGEST = 127;

    private final X509Certificate certificate;
    private final PrivateKey key;

    /** One whose certificate and key are these, which belong together. */
    public Authority(X509Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
    }

    /**
     * A new one, of that name, which signs itself. It signs no other authorities.
     *
     * @param from whole seconds of both times count
     */
    public static Issued create(String name, Instant from, Instant until, SecureRandom random) {
        KeyPair pair = newPair(random);
        byte[] extensions = Der.sequence(
                extension(BASIC_CONSTRAINTS, true, Der.sequence(Der.yes(), Der.integer(BigInteger.ZERO))),
                extension(KEY_USAGE, true, Der.bits(1, SIGNS_CERTIFICATES)),
                extension(SUBJECT_KEY_ID, false, Der.octets(keyId(pair.getPublic()))));
        byte[] ownName = name(name);
        byte[] body =
                body(ownName, validity(from, until), ownName, pair.getPublic().getEncoded(), extensions);
        return new Issued(signed(body, pair.getPrivate(), random), pair.getPrivate());
    }

    private static byte[] validity(Instant from, Instant until) {
        return Der.sequence(Der.time(from), Der.time(until));
    }

    /** A certificate, with a new key, for {@code subject}. */
    public Issued sign(Subject subject, Instant from, Instant until, SecureRandom random) {
        KeyPair pair = newPair(random);
        List<byte[]> extensions = new ArrayList<>();
        extensions.add(extension(BASIC_CONSTRAINTS, true, Der.sequence()));
        extensions.add(extension(KEY_USAGE, true, Der.bits(7, SIGNS_DATA)));
        extensions.add(extension(EXTENDED_KEY_USAGE, false, usages(subject)));
        extensions.add(extension(SUBJECT_KEY_ID, false, Der.octets(keyId(pair.getPublic()))));
        extensions.add(authorityKeyId(certificate));
        if (!subject.dnsNames().isEmpty() || !subject.addresses().isEmpty()) {
            extensions.add(extension(SUBJECT_ALT_NAME, false, altNames(subject)));
        }
        byte[] body = body(
                certificate.getSubjectX500Principal().getEncoded(),
                validity(from, until),
                name(subject.name()),
                pair.getPublic().getEncoded(),
                Der.sequence(extensions.toArray(byte[][]::new)));
        return new Issued(signed(body, key, random), pair.getPrivate());
    }

    /** What is signed; {@code validity} and {@code extensions} as sequences. */
    private static byte[] body(byte[] issuer, byte[] validity, byte[] subject, byte[] publicKey, byte[] extensions) {
        return Der.joined(ECDSA_WITH_SHA256, issuer, validity, subject, publicKey, Der.around(3, extensions));
    }

    private static X509Certificate signed(byte[] body, PrivateKey key, SecureRandom random) {
        byte[] serial = Der.integer(new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE));
        byte[] version = Der.around(0, Der.integer(BigInteger.valueOf(VERSION_3)));
        byte[] whole = Der.sequence(version, serial, body);
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key, random);
            signature.update(whole);
            byte[] bytes = Der.sequence(whole, ECDSA_WITH_SHA256, Der.bits(0, signature.sign()));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK signs with P-256", e);
        }
    }

    private static KeyPair newPair(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has P-256", e);
        }
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.utf8(commonName))));
    }

    private static byte[] extension(String oid, boolean isCritical, byte[] value) {
        return isCritical
                ? Der.sequence(Der.oid(oid), Der.yes(), Der.octets(value))
                : Der.sequence(Der.oid(oid), Der.octets(value));
    }

    private static byte[] usages(Subject subject) {
        return Der.sequence(
                subject.isServer() ? SERVER_AUTH : new byte[0], subject.isClient() ? CLIENT_AUTH : new byte[0]);
    }

    private static byte[] altNames(Subject subject) {
        List<byte[]> names = new ArrayList<>();
        subject.dnsNames().forEach(name -> names.add(Der.tagged(DNS_NAME, name.getBytes(StandardCharsets.US_ASCII))));
        for (InetAddress address : subject.addresses()) {
            names.add(Der.tagged(IP_ADDRESS, address.getAddress()));
        }
        return Der.sequence(names.toArray(byte[][]::new));
    }

    /** RFC 7093, section 2, method 4. */
    private static byte[] keyId(PublicKey key) {
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()), KEY_ID_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The id that a signer's certificate gives its key, as those that it signs repeat it; none if it gives none. */
    private static byte[] authorityKeyId(X509Certificate signer) {
        byte[] value = signer.getExtensionValue(SUBJECT_KEY_ID);
        // Two octet strings, one in the other, of fewer than 128 bytes.
        return value == null || value.length <= 2 * HEADER_BYTES || value.length > LONGEST
                ? new byte[0]
                : extension(
                        AUTHORITY_KEY_ID,
                        false,
                        Der.sequence(Der.tagged(0, Arrays.copyOfRange(value, 2 * HEADER_BYTES, value.length))));
    }
}
