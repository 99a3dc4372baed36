package s3csi.s3.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.s3.Condition;
import s3csi.s3.ETag;
import s3csi.s3.Payload;
import s3csi.s3.StoreException;
import s3csi.s3.StoreOperation;
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;
import s3csi.s3.UploadedPart;
import s3csi.s3.checksum.Checksums;
import s3csi.s3.checksum.CrcPolynomial;
import s3csi.s3.http.HttpExchange;

/** CompleteMultipartUpload. */
record CompleteUploadCall(
        Upload upload,
        List<UploadedPart> parts,
        Payload body,
        @Nullable String bodyHash,
        Condition condition,
        ErrorClassifier errors,
        LostAnswers lostAnswers)
        implements Call<ETag> {
    private static final int MD5_DIGITS = 32;

    /** The document that names the parts. */
    static String document(Upload upload, List<UploadedPart> parts) {
        StringBuilder out = new StringBuilder(parts.size() * 160 + 100);
        out.append("<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
        for (UploadedPart part : parts) {
            out.append("<Part><PartNumber>").append(part.number()).append("</PartNumber><ETag>&quot;");
            out.append(escaped(part.etag().text())).append("&quot;</ETag>");
            if (part.checksum() != null) {
                String name = upload.checksum() == UploadChecksum.CRC64NVME ? "ChecksumCRC64NVME" : "ChecksumCRC32C";
                out.append('<').append(name).append('>').append(part.checksum());
                out.append("</").append(name).append('>');
            }
            out.append("</Part>");
        }
        return out.append("</CompleteMultipartUpload>").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    @Override
    public StoreOperation operation() {
        return StoreOperation.COMPLETE_UPLOAD;
    }

    @Override
    public String key() {
        return upload.key();
    }

    @Override
    public S3Request request() {
        S3Request request = S3Request.onObject("POST", upload.key())
                .query("uploadId", upload.id())
                .header("content-type", "application/xml")
                .condition(condition)
                .body(body, bodyHash)
                .patience(CopyHeaders.PATIENCE);
        String whole = wholeChecksum();
        return whole == null
                ? request
                : request.header("x-amz-checksum-crc64nvme", whole).header("x-amz-checksum-type", "FULL_OBJECT");
    }

    /**
     * The checksum of the object, made of those of its parts; null when one of them is missing, and for an empty object, where
     * MinIO expects another one than everybody else.
     */
    private @Nullable String wholeChecksum() {
        if (upload.checksum() != UploadChecksum.CRC64NVME) {
            return null;
        }
        long whole = 0;
        long size = 0;
        for (UploadedPart part : parts) {
            if (part.checksum() == null) {
                return null;
            }
            long crc =
                    ByteBuffer.wrap(Base64.getDecoder().decode(part.checksum())).getLong();
            whole = CrcPolynomial.CRC64NVME.combine(whole, crc, part.size());
            size += part.size();
        }
        return size == 0 ? null : Checksums.base64Of64(whole);
    }

    @Override
    public ETag accept(HttpExchange exchange) throws IOException, AttemptFailure {
        return Results.etag(Results.read(exchange, operation(), upload.key(), errors));
    }

    @Override
    public @Nullable ETag recover(StoreException failure) throws StoreException {
        return lostAnswers.find(failure, upload.key(), this::multipartETag);
    }

    /** What most stores make the ETag of: the MD5 of the MD5s of the parts, and their number. */
    private @Nullable ETag multipartETag() {
        ByteArrayOutputStream digests = new ByteArrayOutputStream();
        for (UploadedPart part : parts) {
            if (!part.etag().text().matches("[0-9a-fA-F]{" + MD5_DIGITS + "}")) {
                return null;
            }
            digests.writeBytes(HexFormat.of().parseHex(part.etag().text()));
        }
        byte[] digest = Checksums.newDigest("MD5").digest(digests.toByteArray());
        return new ETag(HexFormat.of().formatHex(digest) + '-' + parts.size());
    }
}
