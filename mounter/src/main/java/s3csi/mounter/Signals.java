package s3csi.mounter;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;

/**
 * Reacts to signals of the operating system.
 *
 * <p>The JDK's class for it, {@code sun.misc.Signal}, is supported and exported but makes javac warn in a way that cannot be silenced,
 * hence by name. Shutdown hooks would not do: they see neither which signal came nor a second one.
 */
public final class Signals {
    private static final String SIGNAL = "sun.misc.Signal";
    private static final String HANDLER = "sun.misc.SignalHandler";

    private Signals() {}

    /**
     * Runs the action whenever the signal comes, on a thread of its own.
     *
     * @param name like {@code TERM}
     */
    public static void on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName(SIGNAL);
            Class<?> handler = Class.forName(HANDLER);
            MethodHandle run = MethodHandles.lookup()
                    .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
                    .bindTo(action);
            Object proxy =
                    MethodHandleProxies.asInterfaceInstance(handler, MethodHandles.dropArguments(run, 0, signal));
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("signal " + name + " cannot be handled", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Java has no " + SIGNAL + "; run with the module jdk.unsupported", e);
        }
    }
}
