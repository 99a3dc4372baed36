package s3csi.testbed.bench.engine;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import s3csi.testbed.contender.Contender;

/**
 * What to measure, as on the command line.
 *
 * @param only names of jobs; all when empty
 */
record Choice(boolean quick, boolean json, int rounds, int keys, Set<Contender> contenders, List<String> only) {
    static final String USAGE =
            "bench engine takes --quick, --json, --rounds N, --keys N, --only JOB,... and --contenders ours,mountpoint,s3fs";

    private static final int ROUNDS = 5;
    private static final int KEYS = 100_000;

    /** Says what is wrong with a command line, and ends with 2; for those who would build for minutes before they measure. */
    public static void main(String[] arguments) {
        ofCommandLine(arguments);
    }

    static Choice ofCommandLine(String[] arguments) {
        try {
            Choice choice = parse(arguments);
            choice.jobs();
            return choice;
        } catch (IllegalArgumentException wrong) {
            System.err.println("s3csi: " + wrong.getMessage());
            System.exit(2);
            throw wrong;
        }
    }

    static Choice parse(String[] arguments) {
        boolean quick = false;
        boolean json = false;
        int rounds = ROUNDS;
        int keys = KEYS;
        Set<Contender> contenders = EnumSet.allOf(Contender.class);
        List<String> only = List.of();
        Iterator<String> rest = List.of(arguments).iterator();
        while (rest.hasNext()) {
            String option = rest.next();
            switch (option) {
                case "--quick" -> quick = true;
                case "--json" -> json = true;
                case "--rounds" -> rounds = positive(option, value(option, rest));
                case "--keys" -> keys = positive(option, value(option, rest));
                case "--contenders" -> contenders = contenders(value(option, rest));
                case "--only" -> only = List.of(value(option, rest).split(",", -1));
                default -> throw new IllegalArgumentException("unknown argument '" + option + "'. " + USAGE);
            }
        }
        return new Choice(quick, json, rounds, keys, contenders, only);
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value. " + USAGE);
        }
        return rest.next();
    }

    private static int positive(String option, String text) {
        if (!text.matches("[1-9][0-9]{0,7}")) {
            throw new IllegalArgumentException(option + " needs a positive number, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static Set<Contender> contenders(String text) {
        Set<Contender> chosen = EnumSet.noneOf(Contender.class);
        Arrays.stream(text.split(",", -1)).map(Contender::named).forEach(chosen::add);
        if (chosen.contains(Contender.OURS)) {
            chosen.add(Contender.OURS_SMALL);
        }
        return chosen;
    }

    List<Job> jobs() {
        List<Job> jobs = quick ? Jobs.quick() : Jobs.all(keys);
        for (String name : only) {
            if (!name.equals(Starts.NAME)
                    && jobs.stream().noneMatch(job -> job.name().equals(name))) {
                throw new IllegalArgumentException("no job is named '%s'; there are %s"
                        .formatted(name, jobs.stream().map(Job::name).toList()));
            }
        }
        return jobs.stream()
                .filter(job -> only.isEmpty() || only.contains(job.name()))
                .toList();
    }

    boolean measuresStarts() {
        return only.isEmpty() || only.contains(Starts.NAME);
    }

    List<Contender> chosenOf(List<Contender> possible) {
        return possible.stream().filter(contenders::contains).toList();
    }
}
