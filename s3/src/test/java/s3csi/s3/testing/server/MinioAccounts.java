package s3csi.s3.testing.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.signing.PercentEncoding;

/**
 * Accounts of a MinIO server beside the one that may do everything. MinIO takes their secrets encrypted only, with a key made of the
 * secret of whoever asks: a salt of 32 bytes, one byte for the algorithm, 8 bytes of a nonce, and one fragment of AES-GCM.
 */
final class MinioAccounts {
    private static final String ADMIN = "/minio/admin/v3/";

    /** PBKDF2 with SHA-256, then AES-256 in GCM; the others that MinIO knows use Argon2, which the JDK has not. */
    private static final byte PBKDF2_AES_GCM = 2;

    private static final int ITERATIONS = 8192;
    private static final int TAG_BITS = 128;
    private static final byte LAST_FRAGMENT = (byte) 0x80;

    private MinioAccounts() {}

    /**
     * Makes an account.
     *
     * @param policy one that MinIO has from the start: {@code readonly}, {@code writeonly}, {@code readwrite}
     */
    static Credentials.Keys create(S3Server server, String name, String policy) {
        Credentials.Keys keys = new Credentials.Keys(name, name + "-secret");
        String account = "{\"secretKey\":\"" + keys.secretAccessKey() + "\",\"status\":\"enabled\"}";
        RootCalls.put(
                server,
                ADMIN + "add-user",
                "accessKey=" + PercentEncoding.query(name),
                encrypted(account, server.root().secretAccessKey()));
        RootCalls.put(
                server,
                ADMIN + "set-user-or-group-policy",
                "isGroup=false&policyName=" + PercentEncoding.query(policy) + "&userOrGroup="
                        + PercentEncoding.query(name),
                new byte[0]);
        return keys;
    }

    private static byte[] encrypted(String text, String secret) {
        SecureRandom random = new SecureRandom();
        byte[] salt = new byte[32];
        byte[] nonce = new byte[8];
        random.nextBytes(salt);
        random.nextBytes(nonce);
        try {
            SecretKeyFactory factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
            PBEKeySpec password = new PBEKeySpec(secret.toCharArray(), salt, ITERATIONS, 256);
            SecretKey key = new SecretKeySpec(factory.generateSecret(password).getEncoded(), "AES");
            // The tag of an empty fragment goes into what the next one authenticates.
            byte[] tag = seal(key, nonce, 0, new byte[0], new byte[0]);
            byte[] associated = new byte[1 + tag.length];
            associated[0] = LAST_FRAGMENT;
            System.arraycopy(tag, 0, associated, 1, tag.length);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(salt);
            out.write(PBKDF2_AES_GCM);
            out.writeBytes(nonce);
            out.writeBytes(seal(key, nonce, 1, associated, text.getBytes(StandardCharsets.UTF_8)));
            return out.toByteArray();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES and PBKDF2", e);
        }
    }

    /** The number of the fragment fills the nonce up, least significant byte first. */
    private static byte[] seal(SecretKey key, byte[] nonce, int number, byte[] associated, byte[] plain)
            throws GeneralSecurityException {
        byte[] full = Arrays.copyOf(nonce, 12);
        full[8] = (byte) number;
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, full));
        cipher.updateAAD(associated);
        return cipher.doFinal(plain);
    }
}
