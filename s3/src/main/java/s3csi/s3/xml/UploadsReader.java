package s3csi.s3.xml;

import java.io.IOException;
import java.net.ProtocolException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import s3csi.s3.PendingUploads;
import s3csi.s3.Upload;
import s3csi.s3.UploadChecksum;

/** Reads a page of ListMultipartUploads. */
public final class UploadsReader implements XmlHandler {
    private final List<PendingUploads.PendingUpload> uploads = new ArrayList<>();
    private String root = "";
    private String nextKey = "";
    private String nextUpload = "";
    private boolean truncated;
    private boolean urlEncoded;
    private String key = "";
    private String id = "";
    private Instant initiated = Instant.EPOCH;

    private UploadsReader() {}

    public static PendingUploads read(XmlSource source) throws IOException {
        UploadsReader reader = new UploadsReader();
        XmlReader.read(source, reader);
        if (!reader.root.equals("ListMultipartUploadsResult")) {
            throw new ProtocolException("the answer to the listing of uploads is not one");
        }
        return reader.page();
    }

    private PendingUploads page() {
        List<PendingUploads.PendingUpload> decoded = new ArrayList<>(uploads.size());
        for (PendingUploads.PendingUpload pending : uploads) {
            Upload upload = pending.upload();
            String name = urlEncoded ? UrlDecoding.decode(upload.key()) : upload.key();
            if (name != null) {
                decoded.add(new PendingUploads.PendingUpload(
                        new Upload(name, upload.id(), upload.checksum()), pending.initiated()));
            }
        }
        String marker = urlEncoded ? UrlDecoding.decode(nextKey) : nextKey;
        boolean goesOn = truncated && marker != null && !marker.isEmpty();
        return new PendingUploads(
                decoded, goesOn && marker != null ? new PendingUploads.Marker(marker, nextUpload) : null);
    }

    @Override
    public void opened(String name, int depth) {
        if (depth == 1) {
            root = name;
        } else if (depth == 2 && name.equals("Upload")) {
            key = "";
            id = "";
            initiated = Instant.EPOCH;
        }
    }

    @Override
    public void closed(String name, int depth, XmlText text) {
        if (depth == 2) {
            pageField(name, text);
        } else if (depth == 3) {
            uploadField(name, text);
        }
    }

    private void pageField(String name, XmlText text) {
        switch (name) {
            case "Upload" -> finishUpload();
            case "IsTruncated" -> truncated = text.isTrue();
            case "NextKeyMarker" -> nextKey = text.toString();
            case "NextUploadIdMarker" -> nextUpload = text.toString();
            case "EncodingType" -> urlEncoded = text.toString().equals("url");
            default -> {
                // The rest repeats what we asked.
            }
        }
    }

    private void uploadField(String name, XmlText text) {
        switch (name) {
            case "Key" -> key = text.toString();
            case "UploadId" -> id = text.toString();
            case "Initiated" -> initiated = text.toTime(Instant.EPOCH);
            default -> {
                // Owner, initiator, storage class.
            }
        }
    }

    private void finishUpload() {
        if (!key.isEmpty() && !id.isEmpty()) {
            uploads.add(new PendingUploads.PendingUpload(new Upload(key, id, UploadChecksum.OFF), initiated));
        }
    }
}
