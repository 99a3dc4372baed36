package s3csi.testbed.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What users read of the chart's values is what its schema says; and its version is the product's. */
class ValuesPageTest {
    private static final Path PAGE = Path.of("..", "docs", "chart.md");
    private static final String BEGIN = "<!-- from values.schema.json and values.yaml: -->\n";

    @Test
    void thePageHasEveryValue() throws IOException {
        String written = Files.readString(PAGE);
        int begin = written.indexOf(BEGIN) + BEGIN.length();
        Expected.assertIs(PAGE, written.substring(0, begin) + "\n" + new ValuesPage(Helm.CHART).tables());
    }

    @Test
    void everyValueIsDescribed() {
        assertThat(new ValuesPage(Helm.CHART).undescribed()).isEmpty();
    }

    @Test
    void theVersionOfTheChartIsThatOfTheProduct() throws IOException {
        assertThat(Files.readString(Helm.CHART.resolve("Chart.yaml")))
                .contains(
                        "\nversion: " + ChartVersion.current() + "\n",
                        "\nappVersion: " + ChartVersion.current() + "\n");
    }
}
