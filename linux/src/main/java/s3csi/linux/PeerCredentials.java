package s3csi.linux;

/** Who is at the other end of a Unix socket, as the kernel knows it: pid 0 if it is not visible from here. */
public record PeerCredentials(int pid, int uid, int gid) {}
