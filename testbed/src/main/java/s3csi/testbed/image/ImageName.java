package s3csi.testbed.image;

/** {@code repository:tag}, as a pod names its image. */
record ImageName(String repository, String tag) {
    static ImageName of(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= text.lastIndexOf('/') || colon == text.length() - 1) {
            throw new IllegalArgumentException("'" + text + "' names no image: expected REPOSITORY:TAG");
        }
        return new ImageName(text.substring(0, colon), text.substring(colon + 1));
    }

    String text() {
        return repository + ":" + tag;
    }

    /** What kubelet's container runtime makes of a name without a host before it looks for the image; containerd takes names as they are. */
    String withHost() {
        int slash = repository.indexOf('/');
        String first = slash < 0 ? "" : repository.substring(0, slash);
        if (first.contains(".") || first.contains(":") || first.equals("localhost")) {
            return text();
        }
        return "docker.io/" + (slash < 0 ? "library/" : "") + text();
    }
}
