package s3csi.s3.client;

import java.net.URI;
import java.util.regex.Pattern;
import s3csi.s3.http.Origin;
import s3csi.s3.signing.PercentEncoding;

/**
 * The server of a bucket and the path that its keys are below.
 *
 * @param basePath encoded, with a slash at its end
 */
record Endpoint(Origin origin, String basePath, boolean isAws) {
    static final String DEFAULT_REGION = "us-east-1";

    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9][a-z0-9-]{1,61}[a-z0-9]");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

    static Endpoint of(HttpStoreOptions options, String region) {
        URI address = options.endpoint == null ? awsAddress(region, options.dualStack) : options.endpoint;
        Origin origin = Origin.of(address);
        boolean isAws = origin.isAws();
        String path = address.getRawPath() == null ? "" : address.getRawPath();
        String base = path.endsWith("/") ? path : path + '/';
        if (isVirtualHost(options, origin, isAws)) {
            return new Endpoint(origin.withHost(options.bucket + '.' + origin.host()), base, isAws);
        }
        return new Endpoint(origin, base + PercentEncoding.query(options.bucket) + '/', isAws);
    }

    private static URI awsAddress(String region, boolean dualStack) {
        return URI.create((dualStack ? "https://s3.dualstack." : "https://s3.") + region + ".amazonaws.com"
                + (region.startsWith("cn-") ? ".cn" : ""));
    }

    private static boolean isVirtualHost(HttpStoreOptions options, Origin origin, boolean isAws) {
        return switch (options.addressing) {
            case PATH -> false;
            case VIRTUAL_HOST -> !ADDRESS.matcher(origin.host()).matches();
            // A dot in the name would not match the wildcard of a certificate.
            case AUTOMATIC -> isAws && DNS_LABEL.matcher(options.bucket).matches();
        };
    }

    /** The encoded path of a key. */
    String pathOf(String key) {
        return basePath + PercentEncoding.path(key);
    }
}
