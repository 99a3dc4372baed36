package s3csi.mounter;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

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
            // A proxy class can be kept in the AOT cache, unlike an instance made of a method handle.
            Object proxy = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (self, method, arguments) -> {
                        if (method.getDeclaringClass() != handler) {
                            return method.invoke(action, arguments);
                        }
                        action.run();
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("signal " + name + " cannot be handled", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this Java has no " + SIGNAL + "; run with the module jdk.unsupported", e);
        }
    }
}
