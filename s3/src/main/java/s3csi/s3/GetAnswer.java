package s3csi.s3;

/**
 * What a GET found, known before its first byte.
 *
 * @param object the object as the store describes it, with its whole size
 * @param range the bytes that will arrive: those asked for, cut at the end of the object
 */
public record GetAnswer(ObjectInfo object, ByteRange range) {}
