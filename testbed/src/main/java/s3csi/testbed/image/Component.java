package s3csi.testbed.image;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of the image that somebody released under a name and a version. Texts that are empty are not known. The package URL
 * names it across ecosystems.
 */
record Component(
        String type,
        String group,
        String name,
        String version,
        String packageUrl,
        String license,
        String digest,
        String file) {

    /** In the form of CycloneDX. */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", type);
        put(json, "group", group);
        json.put("name", name);
        put(json, "version", version);
        if (!digest.isEmpty()) {
            Map<String, Object> hash = new LinkedHashMap<>();
            hash.put("alg", "SHA-256");
            hash.put("content", digest.substring(digest.indexOf(':') + 1));
            json.put("hashes", List.of(hash));
        }
        if (!license.isEmpty()) {
            // A name may be any text; the identifiers of SPDX have no spaces.
            json.put("licenses", List.of(Map.of("license", Map.of(license.contains(" ") ? "name" : "id", license))));
        }
        put(json, "purl", packageUrl);
        if (!file.isEmpty()) {
            json.put("evidence", Map.of("occurrences", List.of(Map.of("location", file))));
        }
        return json;
    }

    private static void put(Map<String, Object> json, String name, String value) {
        if (!value.isEmpty()) {
            json.put(name, value);
        }
    }
}
