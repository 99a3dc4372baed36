package s3csi.testbed.image;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import s3csi.volume.json.Json;

/** What the runtime needs to know of an image to start a container of it; an empty user is root. */
record ImageSettings(List<String> environment, List<String> entrypoint, String user, Instant time) {
    static Map<String, Object> platform() {
        String architecture = System.getProperty("os.arch");
        Map<String, Object> platform = new LinkedHashMap<>();
        platform.put("architecture", architecture.equals("aarch64") ? "arm64" : architecture);
        platform.put("os", "linux");
        return platform;
    }

    /** The image's configuration, in the form of OCI. */
    String json(List<ImageLayer> layers) {
        Map<String, Object> config = new LinkedHashMap<>();
        if (!user.isEmpty()) {
            config.put("User", user);
        }
        config.put("Env", environment);
        if (!entrypoint.isEmpty()) {
            config.put("Entrypoint", entrypoint);
        }
        config.put("WorkingDir", "/");
        Map<String, Object> image = new LinkedHashMap<>();
        image.put("created", time.toString());
        image.putAll(platform());
        image.put("config", config);
        Map<String, Object> rootfs = new LinkedHashMap<>();
        rootfs.put("type", "layers");
        rootfs.put("diff_ids", layers.stream().map(ImageLayer::contentDigest).toList());
        image.put("rootfs", rootfs);
        image.put(
                "history",
                layers.stream().map(_ -> Map.of("created", time.toString())).toList());
        return Json.text(image);
    }
}
