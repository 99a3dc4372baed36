package s3csi.testbed.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A random sequence of actions, the same for the same seed, in so few names that they get into each other's way. */
final class Script {
    private static final List<String> FILES = List.of("a", "b", "d/a", "d/b", "e/a", "d/n/a");
    private static final List<String> DIRECTORIES = List.of("d", "e", "d/n", "n");
    private static final int HANDLES = 3;
    private static final int SMALL = 20_000;

    /** More than one part of an upload. */
    private static final int LARGE = 9 << 20;

    private final Random random;

    private Script(long seed) {
        this.random = new Random(seed);
    }

    /** The keys that are in the store before anything happens, with their sizes. */
    static List<String> initialKeys() {
        return List.of("b", "d/b", "e/old");
    }

    static List<Action> of(long seed, int length) {
        Script script = new Script(seed);
        List<Action> actions = new ArrayList<>();
        for (int step = 0; step < length; step++) {
            actions.add(script.next());
        }
        return actions;
    }

    private Action next() {
        return switch (random.nextInt(26)) {
            case 0, 1, 2, 3, 4 -> new Action.Open(handle(), any(FILES), any(List.of(OpenKind.values())));
            case 5, 6, 7, 8 -> new Action.Write(handle(), size(), random.nextLong());
            case 9 -> new Action.WriteAt(handle(), random.nextInt(SMALL), size(), random.nextLong());
            case 10, 11, 12 -> new Action.Read(handle(), random.nextInt(SMALL), 1 + random.nextInt(SMALL));
            case 13, 14, 15, 16 -> new Action.Close(handle());
            case 17 -> new Action.Look(any(random.nextBoolean() ? FILES : DIRECTORIES));
            case 18 -> new Action.List(any(DIRECTORIES));
            case 19 -> new Action.MakeDirectory(any(DIRECTORIES));
            case 20 -> new Action.Remove(any(random.nextBoolean() ? FILES : DIRECTORIES));
            case 21 -> new Action.Rename(any(FILES), any(FILES));
            case 22 -> new Action.Sync(handle());
            case 23 -> new Action.Resize(handle(), random.nextInt(SMALL));
            case 24 ->
                random.nextBoolean()
                        ? new Action.SetMode(any(FILES), "rw-------")
                        : new Action.SetTime(any(FILES), 1_000_000_000L + random.nextInt(1000));
            case 25 ->
                random.nextBoolean()
                        ? new Action.Symlink(any(FILES), any(FILES))
                        : new Action.Link(any(FILES), any(FILES));
            default -> throw new IllegalStateException("a number out of its range");
        };
    }

    private int handle() {
        return random.nextInt(HANDLES);
    }

    private int size() {
        return random.nextInt(40) == 0 ? LARGE : 1 + random.nextInt(SMALL);
    }

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
