package s3csi.provisioner.loop;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import s3csi.provisioner.model.SecretName;
import s3csi.provisioner.model.Unusable;

/** Reads a Secret for one call of the driver. Nothing of it is kept, or told to anybody else. */
final class SecretReader {
    private final KubernetesClient client;

    SecretReader(KubernetesClient client) {
        this.client = client;
    }

    /** @throws Unusable if it is not there or may not be read, by its name */
    Map<String, String> read(SecretName name) {
        Secret secret;
        try {
            secret = client.secrets()
                    .inNamespace(name.namespace())
                    .withName(name.name())
                    .get();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                throw new Unusable("the controller may not read the Secret " + name
                        + ". Let its service account get Secrets in the namespace " + name.namespace());
            }
            throw e;
        }
        if (secret == null) {
            throw new Unusable(
                    "there is no Secret " + name + ". Make it, with the keys access_key_id and secret_access_key");
        }
        Map<String, String> values = new HashMap<>();
        Objects.requireNonNullElse(secret.getData(), Map.<String, String>of())
                .forEach((key, value) ->
                        values.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
        return values;
    }
}
