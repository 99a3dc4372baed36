package s3csi.s3.testing.server;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import s3csi.s3.testing.process.Tools;

/** What stands between clients and stores where people run them, each in a way of its own. */
public enum Intermediary {
    /** Takes whole bodies before it passes them on, and ends a connection after a few requests. */
    NGINX_THAT_BUFFERS(TlsVersion.TLS_1_2) {
        @Override
        List<String> command(Place place) {
            return nginx(place, "keepalive_requests 3", "proxy_buffering on", "proxy_request_buffering on");
        }
    },
    /** Passes bodies on as they come. */
    NGINX_THAT_STREAMS(TlsVersion.TLS_1_3) {
        @Override
        List<String> command(Place place) {
            return nginx(place, "keepalive_requests 10", "proxy_buffering off", "proxy_request_buffering off");
        }
    },
    /** Closes the connection behind every answer. */
    NGINX_THAT_CLOSES(TlsVersion.TLS_1_2) {
        @Override
        List<String> command(Place place) {
            return nginx(place, "keepalive_timeout 0", "proxy_buffering off", "proxy_request_buffering off");
        }
    },
    /** Keeps connections, but not for long. */
    HAPROXY_THAT_KEEPS(TlsVersion.TLS_1_3) {
        @Override
        List<String> command(Place place) {
            return haproxy(place, "option http-keep-alive");
        }
    },
    /** Closes the connections on both of its sides behind every answer. */
    HAPROXY_THAT_CLOSES(TlsVersion.TLS_1_2) {
        @Override
        List<String> command(Place place) {
            return haproxy(place, "option httpclose");
        }
    },
    /** Sends interim answers first, and bodies in chunks. */
    GO_THAT_CHUNKS(TlsVersion.TLS_1_2) {
        @Override
        List<String> command(Place place) {
            return go(place);
        }
    },
    /** The same without TLS. */
    GO_IN_THE_CLEAR(null) {
        @Override
        List<String> command(Place place) {
            return go(place);
        }
    };

    private final @Nullable TlsVersion tls;

    Intermediary(@Nullable TlsVersion tls) {
        this.tls = tls;
    }

    /** The one version that it speaks; null for none. */
    @Nullable
    TlsVersion tls() {
        return tls;
    }

    /**
     * Where one runs.
     *
     * @param directory holds {@code server.crt}, {@code server.key} and, for those who want both in one, {@code server.pem}
     */
    record Place(Path directory, int port, int storePort) {
        String file(String name) {
            return directory.resolve(name).toString();
        }

        Path write(String name, String text) {
            return ProxiedServer.write(directory.resolve(name), text);
        }
    }

    /** How to run it; what it reads is written first. */
    abstract List<String> command(Place place);

    List<String> nginx(Place place, String keepAlive, String answers, String requests) {
        String temporary = "";
        for (String kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
            temporary += kind + "_temp_path " + place.file(kind) + ";\n";
        }
        Path settings = place.write("nginx.conf", """
                daemon off;
                # With a process of its own for the work, that one would outlive a killed test.
                master_process off;
                pid %s;
                error_log stderr warn;
                events { worker_connections 512; }
                http {
                    access_log off;
                    %s
                    client_max_body_size 0;
                    %s;
                    upstream store {
                        # There is one only; without it nobody is asked at all.
                        server 127.0.0.1:%d max_fails=0;
                        keepalive 16;
                    }
                    server {
                        listen 127.0.0.1:%d%s;
                        location / {
                            proxy_pass http://store;
                            proxy_http_version 1.1;
                            proxy_set_header Host $http_host;
                            proxy_set_header Connection "";
                            %s;
                            %s;
                        }
                    }
                }
                """.formatted(
                        place.file("nginx.pid"),
                        temporary,
                        keepAlive,
                        place.storePort(),
                        place.port(),
                        tls == null
                                ? ""
                                : " ssl;\nssl_certificate %s;\nssl_certificate_key %s;\nssl_protocols %s"
                                        .formatted(place.file("server.crt"), place.file("server.key"), tls.protocol()),
                        answers,
                        requests));
        return List.of(Tools.installed("nginx", "nginx").toString(), "-e", "stderr", "-c", settings.toString());
    }

    List<String> haproxy(Place place, String keepAlive) {
        Path settings = place.write("haproxy.cfg", """
                global
                    maxconn 500
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 30s
                    timeout server 30s
                    timeout http-keep-alive 200ms
                    %s
                frontend clients
                    bind 127.0.0.1:%d%s
                    default_backend stores
                backend stores
                    server store 127.0.0.1:%d
                """.formatted(
                        keepAlive,
                        place.port(),
                        tls == null
                                ? ""
                                : " ssl crt %s ssl-min-ver %s ssl-max-ver %s"
                                        .formatted(place.file("server.pem"), tls.protocol(), tls.protocol()),
                        place.storePort()));
        return List.of(Tools.installed("haproxy", "haproxy").toString(), "-db", "-f", settings.toString());
    }

    List<String> go(Place place) {
        String program = Tools.built("reverse-proxy").toString();
        String listen = "-listen=127.0.0.1:" + place.port();
        String upstream = "-upstream=http://127.0.0.1:" + place.storePort();
        return tls == null
                ? List.of(program, listen, upstream)
                : List.of(
                        program,
                        listen,
                        upstream,
                        "-certificate=" + place.file("server.crt"),
                        "-key=" + place.file("server.key"),
                        "-version=" + tls.protocol());
    }
}
