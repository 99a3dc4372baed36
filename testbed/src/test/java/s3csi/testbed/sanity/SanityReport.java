package s3csi.testbed.sanity;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What csi-sanity says of each spec in its JUnit file. */
record SanityReport(List<Spec> specs) {
    /** The words are Ginkgo's: passed, failed, skipped, pending, timedout, panicked, interrupted. */
    record Spec(String name, String status) {
        boolean hasRun() {
            return !status.equals("skipped") && !status.equals("pending");
        }
    }

    static SanityReport read(Path file) {
        try {
            NodeList cases = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getElementsByTagName("testcase");
            List<Spec> specs = new ArrayList<>();
            for (int index = 0; index < cases.getLength(); index++) {
                var spec = (Element) cases.item(index);
                // The report also lists the suite's own set-up and tear-down nodes; only "[It]" is a spec.
                if (spec.getAttribute("name").startsWith("[It] ")) {
                    specs.add(new Spec(
                            spec.getAttribute("name").substring("[It] ".length()), spec.getAttribute("status")));
                }
            }
            return new SanityReport(List.copyOf(specs));
        } catch (IOException | SAXException | ParserConfigurationException failure) {
            throw new IllegalStateException("csi-sanity left no readable report in " + file, failure);
        }
    }

    List<String> failed() {
        return specs.stream()
                .filter(spec -> spec.hasRun() && !spec.status().equals("passed"))
                .map(Spec::name)
                .toList();
    }

    List<String> notRun() {
        return specs.stream().filter(spec -> !spec.hasRun()).map(Spec::name).toList();
    }
}
