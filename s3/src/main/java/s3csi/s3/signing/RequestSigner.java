package s3csi.s3.signing;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.ArrayBlockingQueue;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.credentials.Credentials;
import s3csi.s3.http.RequestHead;

/**
 * Signs requests with AWS Signature Version 4, in headers.
 *
 * <p>The key of a day is derived once and kept inside a prepared {@link Mac}; those wait in a queue for the next request rather
 * than in thread locals, because requests run on virtual threads. Signed are the host, all {@code x-amz-} headers, and content type
 * and MD5 where present.
 */
public final class RequestSigner {
    public static final String UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int MOST_KEPT = 64;

    private final String service;
    private final ArrayBlockingQueue<DayKey> kept = new ArrayBlockingQueue<>(MOST_KEPT);

    public RequestSigner(String service) {
        this.service = service;
    }

    /** A prepared key, for one request at a time. */
    private record DayKey(Credentials.Keys credentials, String day, String region, Mac mac) {
        boolean fits(Credentials.Keys wanted, String wantedDay, String wantedRegion) {
            return day.equals(wantedDay) && region.equals(wantedRegion) && credentials.equals(wanted);
        }
    }

    /**
     * Adds date, payload hash, session token and signature to the headers. The host header must be there already; no signed
     * header may be added afterwards.
     *
     * @param payloadHash the SHA-256 of the body in hexadecimal, or {@link #UNSIGNED_PAYLOAD}
     */
    public void sign(
            RequestHead request, Credentials.Keys credentials, String region, Instant now, String payloadHash) {
        String time = TIME.format(now);
        String day = time.substring(0, 8);
        request.header("x-amz-date", time);
        request.header("x-amz-content-sha256", payloadHash);
        if (credentials.sessionToken() != null) {
            request.header("x-amz-security-token", credentials.sessionToken());
        }
        int[] signed = signedHeaders(request);
        String names = names(request, signed);
        String scope = day + '/' + region + '/' + service + "/aws4_request";
        String toSign =
                ALGORITHM + '\n' + time + '\n' + scope + '\n' + sha256(canonical(request, signed, names, payloadHash));
        String signature = hmac(credentials, day, region, toSign);
        request.header(
                "authorization",
                ALGORITHM + " Credential=" + credentials.accessKeyId() + '/' + scope + ", SignedHeaders=" + names
                        + ", Signature=" + signature);
    }

    /** The indexes of the headers to sign, in the order of their names. */
    private static int[] signedHeaders(RequestHead request) {
        int[] indexes = new int[request.headerCount()];
        int count = 0;
        for (int i = 0; i < indexes.length; i++) {
            String name = request.headerName(i);
            if (name.startsWith("x-amz-")
                    || name.equals("host")
                    || name.equals("content-type")
                    || name.equals("content-md5")) {
                int place = count++;
                while (place > 0 && request.headerName(indexes[place - 1]).compareTo(name) > 0) {
                    indexes[place] = indexes[place - 1];
                    place--;
                }
                indexes[place] = i;
            }
        }
        return Arrays.copyOf(indexes, count);
    }

    private static String names(RequestHead request, int[] signed) {
        StringBuilder names = new StringBuilder(160);
        for (int index : signed) {
            names.append(names.isEmpty() ? "" : ";").append(request.headerName(index));
        }
        return names.toString();
    }

    private static String canonical(RequestHead request, int[] signed, String names, String payloadHash) {
        StringBuilder out = new StringBuilder(768);
        out.append(request.method()).append('\n');
        out.append(request.path()).append('\n');
        out.append(request.query()).append('\n');
        for (int index : signed) {
            out.append(request.headerName(index))
                    .append(':')
                    .append(request.headerValue(index).strip())
                    .append('\n');
        }
        return out.append('\n').append(names).append('\n').append(payloadHash).toString();
    }

    private static String sha256(String text) {
        return HexFormat.of().formatHex(Checksums.newDigest("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private String hmac(Credentials.Keys credentials, String day, String region, String text) {
        DayKey key = kept.poll();
        if (key == null || !key.fits(credentials, day, region)) {
            // Whatever else waits is of the same old day or keys.
            kept.clear();
            key = derive(credentials, day, region);
        }
        String signature = HexFormat.of().formatHex(key.mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        // When the queue is full, so many keys are prepared that this one is not missed.
        kept.offer(key);
        return signature;
    }

    private DayKey derive(Credentials.Keys credentials, String day, String region) {
        byte[] key = ("AWS4" + credentials.secretAccessKey()).getBytes(StandardCharsets.UTF_8);
        for (String part : new String[] {day, region, service, "aws4_request"}) {
            key = mac(key).doFinal(part.getBytes(StandardCharsets.UTF_8));
        }
        return new DayKey(credentials, day, region, mac(key));
    }

    private static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA256", e);
        }
    }
}
