package s3csi.provisioner.model;

import java.util.Map;

/**
 * What the driver made.
 *
 * @param bytes its size; 0 if that has no meaning
 * @param attributes what mounting it needs to know
 */
public record MadeVolume(String id, long bytes, Map<String, String> attributes) {}
