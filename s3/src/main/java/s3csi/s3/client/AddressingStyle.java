package s3csi.s3.client;

/** Where the name of the bucket stands in a URL. */
public enum AddressingStyle {
    /** In the host for AWS, when the name can be part of one; in the path for everybody else, who often lack the DNS for it. */
    AUTOMATIC,
    PATH,
    VIRTUAL_HOST
}
