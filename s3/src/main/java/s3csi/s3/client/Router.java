package s3csi.s3.client;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import s3csi.s3.http.HttpClient;

/** Where requests go and for which region they are signed; changes once at most, when the store names another region. */
final class Router implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Router.class);

    private final HttpStoreOptions options;
    private final List<HttpClient> clients = new CopyOnWriteArrayList<>();
    private volatile Route route;
    private boolean learnt;

    record Route(Endpoint endpoint, String region, HttpClient client) {}

    Router(HttpStoreOptions options) {
        this.options = options;
        String region = options.region == null ? Endpoint.DEFAULT_REGION : options.region;
        Endpoint endpoint = Endpoint.of(options, region);
        this.route = new Route(endpoint, region, client(endpoint));
    }

    Route route() {
        return route;
    }

    /**
     * The store says that the bucket is in this region.
     *
     * @param used the route of the request that heard so
     * @return whether the request has somewhere else to go now; never when the user named the region, and never twice, so that
     *     stores that point at each other cannot send us round in circles
     */
    synchronized boolean learn(String region, Route used) {
        if (!route.region.equals(used.region)) {
            return true;
        }
        if (options.region != null || learnt || region.equals(route.region)) {
            return false;
        }
        learnt = true;
        Endpoint endpoint = Endpoint.of(options, region);
        boolean sameServer = endpoint.origin().equals(route.endpoint.origin());
        route = new Route(endpoint, region, sameServer ? route.client : client(endpoint));
        LOG.info("the bucket {} is in region {}; requests are signed for it from now on", options.bucket, region);
        return true;
    }

    private HttpClient client(Endpoint endpoint) {
        HttpClient client = new HttpClient(
                endpoint.origin(),
                options.trust,
                options.proxies,
                options.timeouts,
                options.socketSetup,
                options.connections,
                options.observer::connectionsChanged);
        clients.add(client);
        return client;
    }

    @Override
    public void close() {
        clients.forEach(HttpClient::close);
    }
}
