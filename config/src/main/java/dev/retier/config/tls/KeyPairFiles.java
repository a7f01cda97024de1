package dev.retier.config.tls;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;

/**
 * A private key and the certificates that belong to it.
 *
 * @param chain the own certificate first, then those of who issued it
 * @param number of the reading, from 1 on
 */
record KeyPairFiles(PrivateKey key, List<X509Certificate> chain, int number) {
    /** By the algorithm of a key: how it signs, to see that both are of one pair. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    /** Reads both; throws {@link PemException} unless they are one pair. */
    static KeyPairFiles read(Path certificateFile, Path keyFile, int number) {
        List<X509Certificate> chain = PemText.read(certificateFile).certificates();
        PublicKey publicKey = chain.getFirst().getPublicKey();
        String signature = SIGNATURES.get(publicKey.getAlgorithm());
        if (signature == null) {
            throw new PemException(certificateFile + ": its key is of the kind " + publicKey.getAlgorithm()
                    + "; make one of the kinds "
                    + SIGNATURES.keySet().stream().sorted().toList());
        }
        PrivateKey key = PemText.readPrivate(keyFile).privateKey(publicKey);
        if (!isPair(key, publicKey, signature)) {
            throw new PemException(keyFile + ": the key is not that of the first certificate in " + certificateFile
                    + " (" + Certificates.subject(chain.getFirst())
                    + "); put a node's own certificate first, and give the key for which it was made");
        }
        return new KeyPairFiles(key, chain, number);
    }

    private static boolean isPair(PrivateKey key, PublicKey publicKey, String algorithm) {
        byte[] text = "one pair".getBytes(StandardCharsets.US_ASCII);
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(text);
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(publicKey);
            verifying.update(text);
            return verifying.verify(signing.sign());
        } catch (GeneralSecurityException unusable) {
            return false;
        }
    }

    /** How TLS names it between two of its questions. */
    String alias() {
        return "reading-" + number;
    }
}
