package s3csi.s3.xml;

/** Hears of the elements of a document in their order. The root has depth 1. */
public interface XmlHandler {
    /** An element began. */
    void opened(String name, int depth);

    /**
     * An element ended.
     *
     * @param text what stood directly in the element, with its entities resolved; valid during the call
     */
    void closed(String name, int depth, XmlText text);
}
