package s3csi.volume.mount;

import java.util.Optional;
import s3csi.volume.AuthenticationSource;

/**
 * How an engine introduces itself to the store.
 *
 * @param kubernetesVersion of the API server, where one is known
 */
public record UserAgentPrefix(String driverVersion, AuthenticationSource source, Optional<String> kubernetesVersion) {
    public String text() {
        return "s3-csi-driver/" + driverVersion + " credential-source#" + source.text()
                + kubernetesVersion.map(version -> " k8s/" + version).orElse("");
    }
}
