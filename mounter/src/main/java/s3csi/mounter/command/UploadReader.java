package s3csi.mounter.command;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import s3csi.mounter.config.StartFailure;
import s3csi.mounter.config.UploadConfig;
import s3csi.s3.UploadChecksum;
import s3csi.s3.client.Encryption;

/** The options of uploads. */
final class UploadReader {
    private static final String WITHOUT_KEY = "AES256";

    private final Values values;

    UploadReader(Values values) {
        this.values = values;
    }

    UploadConfig read() throws UsageError, StartFailure {
        return new UploadConfig(values.nonEmptyText(Option.STORAGE_CLASS).orElse(null), encryption(), checksum());
    }

    private @Nullable Encryption encryption() throws UsageError, StartFailure {
        Optional<String> algorithm = values.oneOf(Option.SSE, List.of("aws:kms", "aws:kms:dsse", WITHOUT_KEY));
        if (algorithm.isEmpty()) {
            return null;
        }
        Optional<String> key = values.text(Option.SSE_KMS_KEY_ID);
        if (key.isPresent() && !(key.get().startsWith("arn:") && key.get().contains(":key"))) {
            throw UsageError.badValue(
                    Option.SSE_KMS_KEY_ID,
                    key.get(),
                    "the full ARN of a key is needed, like arn:aws:kms:<region>:<account>:key/<id>");
        }
        if (key.isPresent() && algorithm.get().equals(WITHOUT_KEY)) {
            throw new StartFailure("--sse-kms-key-id cannot be used with --sse " + WITHOUT_KEY
                    + ", which has no key of yours; leave it out or use --sse aws:kms");
        }
        return new Encryption(algorithm.get(), key.orElse(null));
    }

    private UploadChecksum checksum() throws UsageError {
        String name = values.oneOf(Option.UPLOAD_CHECKSUMS, List.of("crc32c", "crc64nvme", "off"))
                .orElse("crc32c");
        return switch (name) {
            case "crc64nvme" -> UploadChecksum.CRC64NVME;
            case "off" -> UploadChecksum.OFF;
            default -> UploadChecksum.CRC32C;
        };
    }
}
