package dev.retier.config.tls;

import dev.retier.config.IoReason;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of one PEM file (RFC 7468) and what is in it. Immutable; it holds a key if the file does. */
final class PemText {
    /** More than a private key and a chain of any use. */
    private static final int MAX_FILE_BYTES = 256 << 10;

    private static final String PKCS8 = "PRIVATE KEY";
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----", Pattern.DOTALL);

    private final Path file;
    private final List<Block> blocks = new ArrayList<>();

    private record Block(String label, String base64) {}

    private PemText(Path file, String text) {
        this.file = file;
        Matcher matcher = BLOCK.matcher(text);
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), matcher.group(2)));
        }
    }

    /**
     * What {@code file} says.
     *
     * @throws PemException if it cannot be read or is longer than 256 KiB
     */
    static PemText read(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw new PemException(file + ": " + (Files.exists(file) ? "it is no file" : "no such file")
                        + "; write the PEM file there, or name another");
            }
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new PemException(
                        file + ": it has more than " + (MAX_FILE_BYTES >> 10) + " KiB; name a file of PEM text");
            }
            return new PemText(file, Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException unreadable) {
            throw new PemException(
                    file + ": " + IoReason.of(unreadable) + "; this process must be able to read it", unreadable);
        }
    }

    /**
     * The text of a file that others than its owner and its group have no right to.
     *
     * @throws PemException if others have one, and as {@link #read} does
     */
    static PemText readPrivate(Path file) {
        PemText text = read(file);
        try {
            if (FileRights.haveOthers(file)) {
                throw new PemException(file + ": others may use it, and it holds a private key; chmod o= " + file
                        + ", and make a new key if somebody else may have read it");
            }
        } catch (IOException unknown) {
            throw new PemException(file + ": who may read it is not known: " + IoReason.of(unknown), unknown);
        }
        return text;
    }

    /**
     * All certificates, in the order of the file.
     *
     * @throws PemException if there is none, or one of them is none
     */
    List<X509Certificate> certificates() {
        List<X509Certificate> found = new ArrayList<>();
        for (Block block : blocks) {
            if (block.label().equals("CERTIFICATE")) {
                found.add(certificate(block, found.size() + 1));
            }
        }
        if (found.isEmpty()) {
            throw new PemException(file + ": there is no certificate in it; it is to have blocks of PEM text that"
                    + " begin with -----BEGIN CERTIFICATE-----");
        }
        return List.copyOf(found);
    }

    private X509Certificate certificate(Block block, int number) {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der(block)));
        } catch (CertificateException | IllegalArgumentException damaged) {
            throw new PemException(
                    file + ": certificate number " + number + " is damaged; copy the whole file anew", damaged);
        }
    }

    private static byte[] der(Block block) {
        return Base64.getMimeDecoder().decode(block.base64());
    }

    /**
     * The one private key, of the kind of {@code publicKey}.
     *
     * @throws PemException if there is none, it is in another form than PKCS#8, or it is of another kind
     */
    PrivateKey privateKey(PublicKey publicKey) {
        List<Block> keys =
                blocks.stream().filter(block -> block.label().endsWith(PKCS8)).toList();
        if (keys.size() != 1) {
            throw new PemException(file + ": there " + (keys.isEmpty() ? "is no private key" : "are several keys")
                    + " in it; it is to have one block of PEM text that begins with -----BEGIN PRIVATE KEY-----");
        }
        Block block = keys.getFirst();
        if (!block.label().equals(PKCS8)) {
            throw new PemException(file + ": the key is " + form(block.label()) + "; write it as plain PKCS#8 by"
                    + " openssl pkcs8 -topk8 -nocrypt -in " + file + " -out FILE");
        }
        byte[] der = new byte[0];
        try {
            der = der(block);
            return KeyFactory.getInstance(publicKey.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (GeneralSecurityException | IllegalArgumentException unusable) { // neither may be told: it may show it
            throw new PemException(file + ": it has no whole " + publicKey.getAlgorithm()
                    + " key, as the certificate asks for; give the key for which the certificate was made");
        } finally {
            Arrays.fill(der, (byte) 0);
        }
    }

    private static String form(String label) {
        return label.startsWith("ENCRYPTED") ? "encrypted" : "in the form of " + label.replace(" " + PKCS8, "");
    }
}
