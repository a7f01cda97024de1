package dev.retier.cli.cert;

import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;

/**
 * A certificate and its private key.
 *
 * @param certificate the certificate
 * @param key its key, a secret
 */
public record Issued(X509Certificate certificate, PrivateKey key) {
    private static final int LINE = 64;

    /** The certificate as PEM (RFC 7468, section 5). */
    public String certificatePem() {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("what was read from bytes can be written", e);
        }
    }

    /** The key as PEM, PKCS#8 (RFC 7468, section 10). A secret. */
    public String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    /** Not the key. */
    @Override
    public String toString() {
        return "Issued[" + certificate.getSubjectX500Principal() + "]";
    }

    private static String pem(String label, byte[] bytes) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END " + label + "-----\n";
    }
}
