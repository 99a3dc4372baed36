package s3csi.s3.testing.server;

import java.net.ServerSocket;
import javax.net.ssl.SSLServerSocket;

/** The versions of TLS that stores speak: one closes, resumes and renews keys otherwise than the other. */
public enum TlsVersion {
    TLS_1_2("TLSv1.2"),
    TLS_1_3("TLSv1.3");

    private final String protocol;

    TlsVersion(String protocol) {
        this.protocol = protocol;
    }

    /** As the JDK and nginx call it; HAProxy has the dot, too. */
    public String protocol() {
        return protocol;
    }

    /** Makes a server speak no other version. */
    public void only(ServerSocket listener) {
        ((SSLServerSocket) listener).setEnabledProtocols(new String[] {protocol});
    }
}
