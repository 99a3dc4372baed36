package s3csi.driver.bucket;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import s3csi.volume.Printable;

/** Where the store is, and whom to trust there beyond what the system trusts. */
public record S3Endpoint(URI url, Optional<TrustedRoots> trust) {
    /** Checks what an administrator wrote; a URL with keys in it would end up in messages and is refused. */
    public static URI parse(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(problem(text, "it is not a URL"), e);
        }
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException(problem(text, "it does not begin with http:// or https://"));
        }
        if (url.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "AWS_ENDPOINT_URL must not carry a user or password; use the credential Secret");
        }
        if (url.getHost() == null || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException(problem(text, "it must be a host, with a port and a path where needed"));
        }
        return url;
    }

    /** What is probably not meant; empty if nothing seems to be so. */
    public Optional<String> doubt() {
        return url.getPath().length() > 1
                ? Optional.of("AWS_ENDPOINT_URL " + url + " has a path, which comes before the bucket in every request;"
                        + " leave it out unless the store itself is below that path")
                : Optional.empty();
    }

    private static String problem(String text, String why) {
        return "AWS_ENDPOINT_URL " + Printable.quoted(text) + " cannot be used: " + why;
    }
}
